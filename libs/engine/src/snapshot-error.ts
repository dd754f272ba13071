import type { SnapshotFault } from './types.js';

const MESSAGES: Readonly<Record<SnapshotFault, string>> = {
  malformed: 'it is malformed',
  unknown_key: "none of the instance's keys signed it",
  invalid_signature: "its signature doesn't match",
  wrong_project: 'it was issued for another access token',
  older: 'it is older than the current one',
  expired: "it has expired, or this machine's clock is wrong",
  unsupported: 'its version is not supported by this release of @agent-traffic/engine',
};

/** A snapshot was rejected. The current one remains in use. */
export class SnapshotError extends Error {
  override readonly name = 'SnapshotError';

  constructor(
    readonly fault: SnapshotFault,
    options?: ErrorOptions,
  ) {
    super(`the snapshot was rejected: ${MESSAGES[fault]}`, options);
  }
}
