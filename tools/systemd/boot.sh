#!/bin/sh
# Boots Debian's systemd in namespaces of its own, on a root in memory: boot.sh <folder of the release> <env file>.
# It sees this machine's network and programs, and none of its other files and services.
set -eu
release=$1 env=$2 node=$(command -v node)
here=$release/deploy/systemd
mount --make-rprivate /
root=$(dirname "$env")/root
mkdir "$root"
mount -t tmpfs -o mode=755 tmpfs "$root"
cd "$root"
mkdir -p dev/pts dev/shm etc/notification-center etc/systemd/system old opt/notification-center proc root run sys tmp usr var .usr/new .usr/work
chmod 1777 tmp dev/shm
for name in bin sbin lib lib64; do ln -s "usr/$name" "$name"; done
mount -t overlay -o "lowerdir=/usr,upperdir=$root/.usr/new,workdir=$root/.usr/work" overlay usr
# The unit finds Node.js where systemd looks for programs.
[ -e usr/bin/node ] || { mkdir -p usr/local/bin && touch usr/local/bin/node && mount --bind "$node" usr/local/bin/node; }
mount -t proc proc proc
mount -t sysfs sysfs sys
mount -t cgroup2 cgroup2 sys/fs/cgroup
for name in null zero full random urandom tty; do touch "dev/$name" && mount --bind "/dev/$name" "dev/$name"; done
cp /etc/hosts /etc/nsswitch.conf etc
# Without it systemd asks for a time zone, as at a first boot.
systemd-id128 new > etc/machine-id
echo 'root:x:0:0:root:/root:/bin/sh' > etc/passwd
echo 'root:x:0:' > etc/group

mount --bind "$release" opt/notification-center
cp "$here/notification-center.service" etc/systemd/system
mkdir -p usr/lib/sysusers.d
cp "$here/notification-center.sysusers" usr/lib/sysusers.d/notification-center.conf
install -m 600 "$env" etc/notification-center/env

# PrivateUsers does not work in a chroot.
pivot_root . old
umount -l old
export container=other
exec /lib/systemd/systemd --system --unit=basic.target --show-status=no
