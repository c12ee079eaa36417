set -e
if [ "$2" = offline ]; then mount -t sysfs none /sys; fi
mkdir -p "$1/.homes"
mount --rbind /home "$1/.homes"
mount -t tmpfs none /home
for home in "$1"/.homes/*; do
    if [ -d "$home" ]; then mkdir "/home/${home##*/}"; mount --rbind "$home" "/home/${home##*/}"; fi
done
umount -l "$1/.homes"
rmdir "$1/.homes"
mkdir -p /home/ada /home/cold /home/hot
mount --rbind "$1" /home/ada
mount --rbind "$3" /home/cold
mount --rbind "$4" /home/hot
cd /home/ada
shift 4
exec unshare --map-user=1000 --map-group=1000 -- "$@"
