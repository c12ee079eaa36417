#pragma once
// The kernel's own header for cameras; ioctl is variadic and the request numbers are function-like macros, which Swift does not import.

#include <linux/videodev2.h>
#include <stdint.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/sysmacros.h>

static const uint32_t HELIOGRAPH_VIDIOC_QUERYCAP = VIDIOC_QUERYCAP;
static const uint32_t HELIOGRAPH_VIDIOC_ENUM_FMT = VIDIOC_ENUM_FMT;
static const uint32_t HELIOGRAPH_VIDIOC_ENUM_FRAMESIZES = VIDIOC_ENUM_FRAMESIZES;
static const uint32_t HELIOGRAPH_VIDIOC_S_FMT = VIDIOC_S_FMT;
static const uint32_t HELIOGRAPH_VIDIOC_REQBUFS = VIDIOC_REQBUFS;
static const uint32_t HELIOGRAPH_VIDIOC_QUERYBUF = VIDIOC_QUERYBUF;
static const uint32_t HELIOGRAPH_VIDIOC_QBUF = VIDIOC_QBUF;
static const uint32_t HELIOGRAPH_VIDIOC_DQBUF = VIDIOC_DQBUF;
static const uint32_t HELIOGRAPH_VIDIOC_STREAMON = VIDIOC_STREAMON;
static const uint32_t HELIOGRAPH_VIDIOC_STREAMOFF = VIDIOC_STREAMOFF;
static const uint32_t HELIOGRAPH_PIX_FMT_YUYV = V4L2_PIX_FMT_YUYV;
static const uint32_t HELIOGRAPH_PIX_FMT_MJPEG = V4L2_PIX_FMT_MJPEG;
static const uint32_t HELIOGRAPH_PIX_FMT_JPEG = V4L2_PIX_FMT_JPEG;
static const uint32_t HELIOGRAPH_CAP_DEVICE_CAPS = V4L2_CAP_DEVICE_CAPS;
static const uint32_t HELIOGRAPH_BUF_FLAG_ERROR = V4L2_BUF_FLAG_ERROR;
// The kernel's number for all video devices: Documentation/admin-guide/devices.txt.
static const uint32_t HELIOGRAPH_VIDEO_MAJOR = 81;
// MADV_DONTFORK, which glibc's header shows only to programs that define _DEFAULT_SOURCE.
static const int HELIOGRAPH_MADV_DONTFORK = 10;

static inline int heliograph_video_request(int descriptor, uint32_t request, void *argument) { return ioctl(descriptor, request, argument); }
static inline uint32_t heliograph_device_major(uint64_t device) { return gnu_dev_major(device); }
