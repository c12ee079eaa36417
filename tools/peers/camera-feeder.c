// Takes the place of the appliance's first process in a test: starts it, and shows pictures to its camera.
//
// The kernel's test driver vivid has a video output whose pictures its camera sees when both are told so. This program forks; one half becomes the shipped
// first process, unchanged, which loads vivid with its other modules; the other waits for the two devices and writes pictures to the output, each for a
// while, until the machine is switched off. /feeder/frames holds them: 1280 x 720 grey bytes each.
#include <errno.h>
#include <fcntl.h>
#include <linux/v4l2-dv-timings.h>
#include <linux/videodev2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

// The kernel's header leaves members out where it writes down timings.
#pragma clang diagnostic ignored "-Wmissing-field-initializers"

enum { WIDTH = 1280, HEIGHT = 720, PIXELS = WIDTH * HEIGHT, SHOWN = 6, BUFFERS = 3 };

static void say(const char *what) {
    int console = open("/dev/console", O_WRONLY | O_CLOEXEC);
    dprintf(console, "feeder: %s: %s\r\n", what, strerror(errno));
    close(console);
}

static int waited(const char *path) {
    for (;;) {
        int file = open(path, O_RDWR | O_CLOEXEC);
        if (file >= 0) return file;
        nanosleep(&(struct timespec){.tv_nsec = 200 * 1000 * 1000}, NULL);
    }
}

/// Both sides speak of one picture: vivid passes on nothing else.
static int tuned(const char *path) {
    int device = waited(path);
    struct v4l2_dv_timings timings = V4L2_DV_BT_CEA_1280X720P50;
    if (ioctl(device, VIDIOC_S_DV_TIMINGS, &timings)) say("timings");
    return device;
}

/// The number of a control by its name: vivid's own have no names in headers.
static void set(int device, const char *name, int value) {
    struct v4l2_queryctrl control = {.id = V4L2_CTRL_FLAG_NEXT_CTRL};
    while (!ioctl(device, VIDIOC_QUERYCTRL, &control)) {
        struct v4l2_control wanted = {.id = control.id, .value = value};
        if (!strcmp((const char *)control.name, name) && !ioctl(device, VIDIOC_S_CTRL, &wanted)) return;
        control.id |= V4L2_CTRL_FLAG_NEXT_CTRL;
    }
    say(name);
}

static void feed(void) {
    int frames = open("/feeder/frames", O_RDONLY | O_CLOEXEC);
    struct stat state;
    if (frames < 0 || fstat(frames, &state)) return say("frames");
    size_t count = (size_t)state.st_size / PIXELS;
    int camera = tuned("/dev/video0"), output = tuned("/dev/video1");
    struct v4l2_format format = {.type = V4L2_BUF_TYPE_VIDEO_OUTPUT};
    format.fmt.pix = (struct v4l2_pix_format){.width = WIDTH, .height = HEIGHT, .pixelformat = V4L2_PIX_FMT_YUYV, .field = V4L2_FIELD_NONE};
    if (ioctl(output, VIDIOC_S_FMT, &format) || format.fmt.pix.width != WIDTH || format.fmt.pix.height != HEIGHT) say("format");
    set(camera, "Loop Video", 1);
    // Nothing is written over the picture.
    set(camera, "OSD Text Mode", 2);
    close(camera);
    unsigned char *grey = malloc(PIXELS), *memory[BUFFERS];
    struct v4l2_requestbuffers request = {.count = BUFFERS, .type = V4L2_BUF_TYPE_VIDEO_OUTPUT, .memory = V4L2_MEMORY_MMAP};
    if (ioctl(output, VIDIOC_REQBUFS, &request) || request.count != BUFFERS) return say("buffers");
    size_t shown = 0;
    for (unsigned turn = 0;; turn++) {
        struct v4l2_buffer buffer = {.index = turn, .type = V4L2_BUF_TYPE_VIDEO_OUTPUT, .memory = V4L2_MEMORY_MMAP};
        if (turn < BUFFERS) {
            if (ioctl(output, VIDIOC_QUERYBUF, &buffer)) return say("buffer");
            memory[turn] = mmap(NULL, buffer.length, PROT_READ | PROT_WRITE, MAP_SHARED, output, buffer.m.offset);
            if (memory[turn] == MAP_FAILED) return say("memory");
        } else if (ioctl(output, VIDIOC_DQBUF, &buffer)) {
            return say("wait");
        }
        if (pread(frames, grey, PIXELS, (off_t)(shown++ / SHOWN % count * PIXELS)) != PIXELS) return say("frame");
        unsigned char *pixels = memory[buffer.index];
        for (size_t index = 0; index < PIXELS; index++) {
            pixels[2 * index] = grey[index];
            pixels[2 * index + 1] = 128;
        }
        buffer.bytesused = 2 * PIXELS;
        buffer.field = V4L2_FIELD_NONE;
        if (ioctl(output, VIDIOC_QBUF, &buffer)) return say("show");
        if (turn + 1 == BUFFERS && ioctl(output, VIDIOC_STREAMON, &request.type)) return say("start");
    }
}

int main(int count, char **words) {
    (void)count;
    if (fork() == 0) {
        feed();
        return 1;
    }
    execv("/init-shipped", words);
    return 1;
}
