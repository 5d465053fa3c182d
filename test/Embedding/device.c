/*===-- test/Embedding/device.c - A session on a GPU, or not --------------===*
 *
 * Part of the Cambium project, under the Apache License v2.0 with LLVM
 * Exceptions. See LICENSE for license information.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===----------------------------------------------------------------------===*
 *
 * A part of docs/Embedding.md.
 *
 *===----------------------------------------------------------------------===*/
#include "cambium/device.h"

#include <stdio.h>

/* A session on the first GPU; where there is none, on the processors. */
static cambium_status_t open_session(cambium_session_t **session) {
  cambium_device_t *device = NULL;
  cambium_status_t status = cambium_device_open("gpu", &device);
  if (status == CAMBIUM_STATUS_NO_DEVICE) {
    printf("on processors: %s\n", cambium_last_error());
    return cambium_session_create(NULL, session);
  }
  if (!status)
    status = cambium_session_create_on(device, NULL, session);
  if (!status)
    printf("on %s\n", cambium_device_describe(device));
  /* The session keeps the device open. */
  cambium_device_close(device);
  return status;
}

int main(void) {
  cambium_session_t *session = NULL;
  cambium_status_t status = open_session(&session);
  if (status)
    fprintf(stderr, "device: error: %s\n", cambium_last_error());
  /* Calls and steps in this session are written as in the programs above. */
  cambium_session_destroy(session);
  return status ? 1 : 0;
}
