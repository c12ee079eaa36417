// Preloaded into a program: a file or a named pipe stands in for a camera of the kernel's V4L2.
//
// No camera is at hand where the checks run, and the kernel's own virtual ones need modules. This library answers for one path; everything else
// of the program, its sandbox included, is the real thing: each request is made to the kernel as well, so that one which the program's filter
// refuses fails here, too.
//
// What the camera sees comes from the path: records of five 32-bit numbers in the machine's byte order and then bytes.
//   errno    DQBUF fails with it, unless 0
//   index    of the buffer; 0xffffffff for the next one that was queued
//   used     bytesused; 0xffffffff for the count of the bytes
//   flags    as in v4l2_buffer
//   length   of the bytes that follow
// A regular file is always readable, a pipe when a record comes. At the end the camera was unplugged.
//
// Environment: CAMERA_DEVICE the path; CAMERA_FORMATS such as "YUYV:1280x720,640x480;MJPG:640x480"; CAMERA_CARD the name; and what is wrong:
// CAMERA_OPEN, CAMERA_S_FMT, CAMERA_STREAMON errno of a refusal; CAMERA_COUNT buffers; CAMERA_LENGTH of a buffer; CAMERA_SIZEIMAGE, CAMERA_WIDTH;
// CAMERA_CAPS capabilities; CAMERA_REPEAT how often a regular file is read; CAMERA_STORM: how many EAGAIN come before each record.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/videodev2.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))
#define BUFFERS 32
#define HONEST 0xffffffffu

struct record { uint32_t error, index, used, flags, length; };

static const char *device, *formats, *card;
static int camera = -1, streaming, repeats, storm, calm;
static uint32_t width, height, fourcc, count, queue[BUFFERS], queued;
static struct { unsigned char *memory; size_t length; } buffers[BUFFERS];
static unsigned char *pending;
static size_t have;

static long number(const char *name, long otherwise) {
    const char *value = getenv(name);
    return value ? strtol(value, 0, 0) : otherwise;
}

__attribute__((constructor)) static void start(void) {
    device = getenv("CAMERA_DEVICE");
    formats = getenv("CAMERA_FORMATS");
    card = getenv("CAMERA_CARD");
    repeats = number("CAMERA_REPEAT", 1);
    storm = calm = number("CAMERA_STORM", 0);
    pending = mmap(0, 80 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (!formats) formats = "YUYV:640x480";
}

static int is_device(const char *path) { return device && path && !strcmp(path, device); }
static int fail(int error) { errno = error; return -1; }

static void disguise(struct stat *information) {
    information->st_mode = S_IFCHR | 0660;
    information->st_rdev = makedev(81, 0);
}

int stat(const char *path, struct stat *information) {
    int result = REAL(stat)(path, information);
    if (!result && is_device(path)) disguise(information);
    return result;
}

int fstat(int fd, struct stat *information) {
    int result = REAL(fstat)(fd, information);
    if (!result && fd == camera && camera >= 0) disguise(information);
    return result;
}

static int opened(int fd, const char *path, int flags) {
    if (fd < 0 || !is_device(path) || flags & O_PATH) return fd;
    long error = number("CAMERA_OPEN", 0);
    if (error) {
        close(fd);
        return fail(error);
    }
    return camera = fd;
}

#define OPEN(name)                                          \
    int name(const char *path, int flags, ...) {            \
        va_list list;                                       \
        va_start(list, flags);                              \
        int mode = va_arg(list, int);                       \
        va_end(list);                                       \
        return opened(REAL(name)(path, flags, mode), path, flags); \
    }
OPEN(open)
OPEN(open64)

// The format of a number, as its place in the text; sizes follow.
static const char *format(uint32_t index) {
    const char *place = formats;
    while (index-- && place) place = (place = strchr(place, ';')) ? place + 1 : 0;
    return place && *place ? place : 0;
}

static const char *format_named(uint32_t name) {
    const char *place;
    for (uint32_t i = 0; (place = format(i)); i++)
        if (!memcmp(place, &name, 4)) return place;
    return 0;
}

static int size(struct v4l2_frmsizeenum *answer) {
    const char *place = format_named(answer->pixel_format), *end;
    if (!place || place[4] != ':') return fail(EINVAL);
    end = strchr(place, ';') ? strchr(place, ';') : place + strlen(place);
    place += 5;
    for (uint32_t i = 0; i < answer->index; i++) {
        place = memchr(place, ',', end - place);
        if (!place++) return fail(EINVAL);
    }
    unsigned w, h;
    if (sscanf(place, "%ux%u", &w, &h) != 2) return fail(EINVAL);
    answer->type = V4L2_FRMSIZE_TYPE_DISCRETE;
    answer->discrete.width = w;
    answer->discrete.height = h;
    return 0;
}

// The next record, whole: 1; 0 while it is not there yet; -1 at the end.
static int fill(struct record *record) {
    for (;;) {
        size_t wanted = sizeof *record;
        if (have >= wanted) {
            memcpy(record, pending, sizeof *record);
            if (record->length > 64u << 20) abort();
            wanted += record->length;
        }
        if (have >= sizeof *record && have == wanted) return 1;
        ssize_t got = syscall(SYS_read, camera, pending + have, wanted - have);
        if (got < 0) return errno == EAGAIN ? 0 : -1;
        if (got == 0) {
            if (have || --repeats <= 0 || lseek(camera, 0, SEEK_SET) < 0) return -1;
        }
        have += got;
    }
}

static int next(struct record *record) {
    if (calm-- > 0) return fail(EAGAIN);
    calm = storm;
    int state = fill(record);
    if (state < 0) return fail(ENODEV);
    if (!state) return fail(EAGAIN);
    have = 0;
    return record->error ? fail(record->error) : 0;
}

static int dequeue(struct v4l2_buffer *buffer) {
    struct record record;
    if (!streaming || !queued) return fail(EINVAL);
    if (next(&record)) return -1;
    uint32_t index = queue[0];
    memmove(queue, queue + 1, --queued * sizeof *queue);
    if (buffers[index].memory)
        memcpy(buffers[index].memory, pending + sizeof record, record.length < buffers[index].length ? record.length : buffers[index].length);
    buffer->index = record.index == HONEST ? index : record.index;
    buffer->bytesused = record.used == HONEST ? record.length : record.used;
    buffer->flags = record.flags;
    return 0;
}

static int answer(unsigned long request, void *argument) {
    switch ((uint32_t)request) {
    case VIDIOC_QUERYCAP: {
        struct v4l2_capability *capability = argument;
        strncpy((char *)capability->card, card ? card : "Fake", sizeof capability->card);
        capability->capabilities = number("CAMERA_CAPS", V4L2_CAP_VIDEO_CAPTURE | V4L2_CAP_STREAMING);
        return 0;
    }
    case VIDIOC_ENUM_FMT: {
        struct v4l2_fmtdesc *description = argument;
        const char *place = format(description->index);
        if (!place) return fail(EINVAL);
        memcpy(&description->pixelformat, place, 4);
        return 0;
    }
    case VIDIOC_ENUM_FRAMESIZES: return size(argument);
    case VIDIOC_S_FMT: {
        struct v4l2_pix_format *pix = &((struct v4l2_format *)argument)->fmt.pix;
        if (number("CAMERA_S_FMT", 0)) return fail(number("CAMERA_S_FMT", 0));
        if (!format_named(pix->pixelformat)) return fail(EINVAL);
        pix->bytesperline = pix->pixelformat == V4L2_PIX_FMT_YUYV ? 2 * pix->width : 0;
        width = pix->width;
        height = pix->height;
        fourcc = pix->pixelformat;
        pix->sizeimage = number("CAMERA_SIZEIMAGE", 2 * width * height);
        pix->width = number("CAMERA_WIDTH", width);
        return 0;
    }
    case VIDIOC_REQBUFS: {
        struct v4l2_requestbuffers *wanted = argument;
        count = wanted->count = number("CAMERA_COUNT", wanted->count);
        return 0;
    }
    case VIDIOC_QUERYBUF: {
        struct v4l2_buffer *buffer = argument;
        if (buffer->index >= count) return fail(EINVAL);
        buffer->length = number("CAMERA_LENGTH", 2l * width * height);
        buffer->m.offset = buffer->index << 12;
        return 0;
    }
    case VIDIOC_QBUF: {
        struct v4l2_buffer *buffer = argument;
        if (buffer->index >= count || queued == BUFFERS) return fail(EINVAL);
        for (uint32_t i = 0; i < queued; i++)
            if (queue[i] == buffer->index) return fail(EINVAL);
        queue[queued++] = buffer->index;
        return 0;
    }
    case VIDIOC_DQBUF: return dequeue(argument);
    case VIDIOC_STREAMON:
        if (number("CAMERA_STREAMON", 0)) return fail(number("CAMERA_STREAMON", 0));
        streaming = 1;
        return 0;
    case VIDIOC_STREAMOFF: streaming = queued = 0; return 0;
    default: return fail(ENOTTY);
    }
}

int ioctl(int fd, unsigned long request, ...) {
    va_list list;
    va_start(list, request);
    void *argument = va_arg(list, void *);
    va_end(list);
    long result = syscall(SYS_ioctl, fd, request, argument);
    if (fd != camera || camera < 0 || (result < 0 && errno == EPERM)) return result;
    return answer(request, argument);
}

static void *mapped(void *(*real)(void *, size_t, int, int, int, off_t), void *at, size_t length, int rights, int flags, int fd, off_t offset) {
    if (fd != camera || camera < 0) return real(at, length, rights, flags, fd, offset);
    size_t index = offset >> 12;
    void *memory = real(0, length, rights, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (index >= BUFFERS || memory == MAP_FAILED) return MAP_FAILED;
    buffers[index].memory = memory;
    buffers[index].length = length;
    return memory;
}

void *mmap(void *at, size_t length, int rights, int flags, int fd, off_t offset) {
    return mapped(REAL(mmap), at, length, rights, flags, fd, offset);
}

void *mmap64(void *at, size_t length, int rights, int flags, int fd, off_t offset) {
    return mapped(REAL(mmap64), at, length, rights, flags, fd, offset);
}

// A camera without buffers.
ssize_t read(int fd, void *buffer, size_t length) {
    if (fd != camera || camera < 0) return REAL(read)(fd, buffer, length);
    struct record record;
    if (next(&record)) return -1;
    size_t copied = record.length < length ? record.length : length;
    memcpy(buffer, pending + sizeof record, copied);
    return copied;
}
