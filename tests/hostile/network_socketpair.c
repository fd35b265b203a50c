// expect: plays on
// A pair of streams is connected to itself: runtimes wake themselves by it. It carries bytes, and no descriptors.
#include "hostile.h"

#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/un.h>

#define WORKS(call) ((call) ? (void)0 : harm("refused: %s, error %d", #call, errno))

static void try_kinds(void) {
    int pair[2];
    int const kinds[] = {SOCK_STREAM, SOCK_DGRAM, SOCK_SEQPACKET, SOCK_RAW, SOCK_RDM};
    for (int domain = 0; domain < 48; domain++) {
        for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
            if (domain != AF_UNIX || kinds[i] != SOCK_STREAM) {
                refused("another kind of pair", socketpair(domain, kinds[i], 0, pair));
            }
        }
    }
}

void on_play(unsigned turn) {
    if (turn != 0) {
        return;
    }
    int pair[2], on = 1;
    char bytes[8] = "bytes";
    WORKS(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, pair) == 0);
    WORKS(ioctl(pair[0], FIONBIO, &on) == 0);
    WORKS(write(pair[0], bytes, 5) == 5 && recv(pair[1], bytes, sizeof bytes, 0) == 5);
    WORKS(send(pair[1], bytes, 5, MSG_NOSIGNAL | MSG_DONTWAIT) == 5 && read(pair[0], bytes, sizeof bytes) == 5);

    struct sockaddr_un address = {AF_UNIX, "/run/systemd/notify"}, abstract = {AF_UNIX, "\0amazons"};
    refused("urgent bytes", send(pair[0], bytes, 1, MSG_OOB));
    refused("bytes to an address", sendto(pair[0], bytes, 1, 0, (struct sockaddr *)&address, sizeof address));
    refused("connect", connect(pair[0], (struct sockaddr *)&address, sizeof address));
    refused("bind", bind(pair[0], (struct sockaddr *)&abstract, sizeof abstract));
    refused("listen", listen(pair[0], 1));
    refused("a larger buffer", setsockopt(pair[0], SOL_SOCKET, SO_SNDBUF, &on, sizeof on));
    refused("opening it again", open("/proc/self/fd/5", O_RDWR));

    char room[CMSG_SPACE(sizeof(int))] = {0};
    struct iovec part = {bytes, 1};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = room, .msg_controllen = sizeof room};
    *CMSG_FIRSTHDR(&message) = (struct cmsghdr){CMSG_LEN(sizeof(int)), SOL_SOCKET, SCM_RIGHTS};
    memcpy(CMSG_DATA(CMSG_FIRSTHDR(&message)), &(int){STDERR_FILENO}, sizeof(int));
    refused("a descriptor", sendmsg(pair[0], &message, 0));
    refused("messages", recvmsg(pair[1], &message, 0));
    try_kinds();
}
