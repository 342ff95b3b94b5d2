"""Calls the kernel as a 32-bit program does, by machine code of its own."""

# /// expect
# says = ["written"]
# ends = "signal 31"
# alone.seccomp.ends = "signal 31"
# nothing.says = ["written", "alive"]
# nothing.ends = "exit 0|signal 11"
# ///

import ctypes
import mmap

code = mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
code.write(bytes.fromhex("53b8140000 00cd805bc3"))  # push rbx; mov eax, 20 (getpid there); int 0x80; pop rbx; ret
call = ctypes.CFUNCTYPE(ctypes.c_int)(ctypes.addressof(ctypes.c_char.from_buffer(code)))
say("written")
call()
say("alive")
