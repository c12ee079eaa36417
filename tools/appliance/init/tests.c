// Tests of what the first process decides by itself: which USB devices may speak, and partition tables. `tools/dev appliance test` compiles them with the
// address and undefined-behaviour sanitizers. A table that is written here is also read by sfdisk there, and one that Python wrote is read here.
#include "init.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int failures;
#define CHECK(condition) \
    do { \
        if (!(condition)) { \
            printf("FAIL %s:%d: %s\n", __FILE__, __LINE__, #condition); \
            failures++; \
        } \
    } while (0)

/// Descriptors of a device with one configuration and these classes of interfaces.
static size_t device(uint8_t *bytes, const uint8_t *classes, int count) {
    memset(bytes, 0, 18);
    bytes[0] = 18, bytes[1] = 1, bytes[17] = 1;
    uint8_t *at = bytes + 18;
    memcpy(at, (uint8_t[]){9, 2, 0, 0, (uint8_t)count, 1, 0, 0x80, 50}, 9);
    at += 9;
    for (int index = 0; index < count; index++) {
        memcpy(at, (uint8_t[]){9, 4, (uint8_t)index, 0, 1, classes[index], 0, 0, 0}, 9);
        at += 9;
        memcpy(at, (uint8_t[]){7, 5, 0x81, 3, 8, 0, 10}, 7);
        at += 7;
    }
    return (size_t)(at - bytes);
}

static enum usb_kind kind_of(const uint8_t *classes, int count) {
    uint8_t bytes[512];
    // A copy of its exact length, so that the sanitizer sees a read beyond it.
    size_t length = device(bytes, classes, count);
    uint8_t *copy = malloc(length);
    memcpy(copy, bytes, length);
    enum usb_kind kind = usb_kind(copy, length);
    free(copy);
    return kind;
}

static void usb_laws(void) {
    CHECK(kind_of((uint8_t[]){9}, 1) == USB_HUB);
    CHECK(kind_of((uint8_t[]){3, 3}, 2) == USB_INPUT);
    CHECK(kind_of((uint8_t[]){8}, 1) == USB_STORAGE);
    CHECK(kind_of((uint8_t[]){14, 14}, 2) == USB_CAMERA);
    CHECK(kind_of((uint8_t[]){14, 14, 1, 1}, 4) == USB_CAMERA);
    CHECK(kind_of((uint8_t[]){1}, 1) == USB_OTHER);
    CHECK(kind_of((uint8_t[]){8}, 0) == USB_OTHER);
    // Every class alone: no other is let through. Network adapters are 2, 10, 224, 239 or 255.
    for (int class = 0; class < 256; class++) {
        bool is_known = class == 9 || class == 3 || class == 8 || class == 14;
        CHECK((kind_of((uint8_t[]){(uint8_t)class}, 1) == USB_OTHER) == !is_known);
        // No mixture but a camera with its microphone.
        for (int other = 0; other < 256; other++) {
            enum usb_kind kind = kind_of((uint8_t[]){(uint8_t)class, (uint8_t)other}, 2);
            bool is_camera = (class == 14 || other == 14) && (class == 14 || class == 1) && (other == 14 || other == 1);
            CHECK((kind != USB_OTHER) == ((is_known && class == other) || is_camera));
        }
    }
    // Cut anywhere, or with a configuration that is not shown, it is nothing.
    uint8_t bytes[512];
    size_t length = device(bytes, (uint8_t[]){8}, 1);
    for (size_t cut = 0; cut < length; cut++) {
        uint8_t *copy = malloc(cut ? cut : 1);
        memcpy(copy, bytes, cut);
        enum usb_kind kind = usb_kind(copy, cut);
        // After its last interface was whole, what is cut can only be an endpoint; that is a storage device still when the cut is between descriptors.
        CHECK(kind == USB_OTHER || cut == 18 + 9 + 9);
        free(copy);
    }
    bytes[17] = 2;
    CHECK(usb_kind(bytes, length) == USB_OTHER);
    bytes[17] = 1;
    bytes[18] = 0;
    CHECK(usb_kind(bytes, length) == USB_OTHER);
    bytes[18] = 200;
    CHECK(usb_kind(bytes, length) == USB_OTHER);
    // Two configurations: a keyboard hides in the second one.
    uint8_t two[512];
    size_t first = device(two, (uint8_t[]){8}, 1), second = device(bytes, (uint8_t[]){3}, 1);
    memcpy(two + first, bytes + 18, second - 18);
    two[17] = 2;
    CHECK(usb_kind(two, first + second - 18) == USB_OTHER);
    for (int confirmed = 0; confirmed < 2; confirmed++) {
        CHECK(usb_is_allowed(USB_HUB, confirmed));
        CHECK(usb_is_allowed(USB_INPUT, confirmed) == !confirmed);
        CHECK(usb_is_allowed(USB_STORAGE, confirmed) == (bool)confirmed);
        CHECK(usb_is_allowed(USB_CAMERA, confirmed) == (bool)confirmed);
        CHECK(!usb_is_allowed(USB_OTHER, confirmed));
    }
}

static void gpt_laws(void) {
    static uint8_t start[GPT_SECTORS * SECTOR], end[(GPT_SECTORS - 1) * SECTOR], random[48];
    struct gpt table;
    CHECK(crc32((const uint8_t *)"123456789", 9) == 0xcbf43926);
    CHECK(!gpt_write(start, end, DATA_LEAST - 1, random));
    for (uint64_t sectors = DATA_LEAST; sectors < (uint64_t)1 << 42; sectors = sectors * 3 / 2 + 12345) {
        for (int index = 0; index < 48; index++) random[index] = (uint8_t)(index * 37 + sectors);
        CHECK(gpt_write(start, end, sectors, random));
        CHECK(gpt_read(start, &table));
        CHECK(!strcmp(table.names[0], DROP_NAME) && !strcmp(table.names[1], VAULT_NAME));
        CHECK(table.first[0] == 2048 && table.last[0] + 1 == table.first[1] && table.last[0] > table.first[0]);
        CHECK(table.last[1] > table.first[1] && table.last[1] + GPT_SECTORS <= sectors);
    }
    // Any changed bit of the header that is checked, or of the entries, is noticed.
    for (size_t bit = SECTOR * 8; bit < (SECTOR + 92) * 8; bit++) {
        start[bit / 8] ^= (uint8_t)(1 << bit % 8);
        CHECK(!gpt_read(start, &table));
        start[bit / 8] ^= (uint8_t)(1 << bit % 8);
    }
    for (size_t byte = 2 * SECTOR; byte < sizeof start; byte += 7) {
        start[byte] ^= 1;
        CHECK(!gpt_read(start, &table));
        start[byte] ^= 1;
    }
    CHECK(gpt_read(start, &table));
}

static void proof_laws(void) {
    struct stick stick = {.serial = "0123ABCD", .sectors = 2000000};
    char proof[32];
    stick_proof(&stick, proof);
    CHECK(!strcmp(proof, "ABCD"));
    strcpy(stick.serial, "123");
    stick_proof(&stick, proof);
    CHECK(!strcmp(proof, "1024"));
}

/// `tests` runs the laws; `tests write FILE SECTORS` writes the start and the end of a data stick, `tests read FILE` prints the names of a table.
int main(int count, char **words) {
    static uint8_t start[GPT_SECTORS * SECTOR], end[(GPT_SECTORS - 1) * SECTOR], random[48] = {1, 2, 3};
    struct gpt table;
    if (count == 4 && !strcmp(words[1], "write")) {
        uint64_t sectors = strtoull(words[3], NULL, 10);
        FILE *file = fopen(words[2], "r+b");
        if (!file || !gpt_write(start, end, sectors, random) || fwrite(start, sizeof start, 1, file) != 1) return 1;
        return fseek(file, (long)(sectors * SECTOR - sizeof end), SEEK_SET) || fwrite(end, sizeof end, 1, file) != 1 || fclose(file);
    }
    if (count == 3 && !strcmp(words[1], "read")) {
        FILE *file = fopen(words[2], "rb");
        if (!file || fread(start, sizeof start, 1, file) != 1 || !gpt_read(start, &table)) return 1;
        printf("%s %llu %llu %s %llu %llu\n", table.names[0], (unsigned long long)table.first[0], (unsigned long long)table.last[0], table.names[1],
               (unsigned long long)table.first[1], (unsigned long long)table.last[1]);
        return fclose(file);
    }
    usb_laws();
    gpt_laws();
    proof_laws();
    printf("init: %d failures\n", failures);
    return failures != 0;
}
