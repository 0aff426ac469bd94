#define _GNU_SOURCE
#include "message.h"

#include <arpa/inet.h>
#include <openssl/evp.h>
#include <openssl/x509.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <unistd.h>

static void check(int is_well, const char *what) {
    if (!is_well) {
        perror(what);
        exit(1);
    }
}

static struct sockaddr_in loopback(int port) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(port)};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return address;
}

/* Makes a key and a self-signed certificate, which no program outside this machine ever receives. */
static void certify(SSL_CTX *context) {
    EVP_PKEY *key = EVP_EC_gen("P-256");
    X509 *certificate = X509_new();
    check(key && certificate, "certificate");
    ASN1_INTEGER_set(X509_get_serialNumber(certificate), 1);
    X509_gmtime_adj(X509_getm_notBefore(certificate), 0);
    X509_gmtime_adj(X509_getm_notAfter(certificate), 3600);
    X509_set_pubkey(certificate, key);
    X509_sign(certificate, key, EVP_sha256());
    SSL_CTX_use_certificate(context, certificate);
    SSL_CTX_use_PrivateKey(context, key);
}

static void answer(SSL_CTX *context, int connection) {
    char text[256];
    SSL *stream = SSL_new(context);
    SSL_set_fd(stream, connection);
    if (SSL_accept(stream) == 1) {
        int length = SSL_read(stream, text, sizeof text);
        if (length > 0) SSL_write(stream, text, length);
        SSL_shutdown(stream);
    }
    SSL_free(stream);
    close(connection);
}

static void serve(int listener) {
    SSL_CTX *context = SSL_CTX_new(TLS_server_method());
    SSL_CTX_set_num_tickets(context, 0);
    certify(context);
    for (;;) {
        int connection = accept(listener, NULL, NULL);
        if (connection >= 0) answer(context, connection);
    }
}

struct server server_start(void) {
    struct sockaddr_in address = loopback(0);
    socklen_t length = sizeof address;
    int listener = socket(AF_INET, SOCK_STREAM, 0);
    check(bind(listener, (struct sockaddr *)&address, length) == 0, "bind");
    check(listen(listener, 16) == 0, "listen");
    check(getsockname(listener, (struct sockaddr *)&address, &length) == 0, "getsockname");
    int process = fork();
    check(process >= 0, "fork");
    if (process == 0) {
        prctl(PR_SET_PDEATHSIG, SIGTERM);
        serve(listener);
    }
    close(listener);
    return (struct server){.port = ntohs(address.sin_port), .process = process};
}

void server_stop(struct server server) {
    kill(server.process, SIGTERM);
    waitpid(server.process, NULL, 0);
}

int timer_new(int milliseconds) {
    struct timespec interval = {.tv_nsec = milliseconds * 1000000L};
    struct itimerspec every = {.it_interval = interval, .it_value = interval};
    int timer = timerfd_create(CLOCK_MONOTONIC, 0);
    check(timerfd_settime(timer, 0, &every, NULL) == 0, "timerfd_settime");
    return timer;
}

void timer_wait(int timer) {
    uint64_t ticks;
    check(read(timer, &ticks, sizeof ticks) == sizeof ticks, "timer");
}

SSL_CTX *client_new(void) {
    SSL_CTX *client = SSL_CTX_new(TLS_client_method());
    /* Every client reads the certificates that the system trusts; the server's certificate is not among them. */
    SSL_CTX_load_verify_file(client, "/etc/ssl/certs/ca-certificates.crt");
    SSL_CTX_set_verify(client, SSL_VERIFY_NONE, NULL);
    return client;
}

int client_send(SSL_CTX *client, int port, const char *text) {
    char reply[256];
    struct sockaddr_in address = loopback(port);
    int length = -1, connection = socket(AF_INET, SOCK_STREAM, 0);
    check(connect(connection, (struct sockaddr *)&address, sizeof address) == 0, "connect");
    SSL *stream = SSL_new(client);
    SSL_set_fd(stream, connection);
    if (SSL_connect(stream) == 1 && SSL_write(stream, text, strlen(text)) > 0) {
        length = SSL_read(stream, reply, sizeof reply);
        SSL_shutdown(stream);
    }
    SSL_free(stream);
    close(connection);
    return length;
}
