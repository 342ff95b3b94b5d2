"""Opens devices beyond the five that it is shown."""

# /// expect
# each = "ENOENT|EACCES|EPERM|ENXIO"
# ///

import os

names = "mem kmem kmsg port kvm fuse tty tty0 console ptmx pts/0 loop-control loop0 sda vda nvme0n1 net/tun vsock vhost-net uinput mqueue"
for name in (*names.split(), "disk", "mapper/control", "snapshot", "hpet", "nvram", "log", "shm/../mem", "fd/3", "fd/7"):
    say(attempt(lambda: os.close(os.open(f"/dev/{name}", os.O_RDWR))))
