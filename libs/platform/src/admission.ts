/** Target time in milliseconds to process all admitted bytes. It is well below the 2 s response deadline. */
const TARGET_LATENCY_MS = 500;
const WINDOW_MS = 250;
/** How long a body can take to arrive before its project counts as late, in milliseconds. */
const BODY_TIMEOUT_MS = 100;
/** Share of the limit that one project can reserve for expected bodies, so other projects retain some capacity. */
const PROJECT_SHARE = 0.5;
/**
 * How long a project counts as late, in milliseconds, and the maximum number of bytes that each of its bodies can
 * reserve during that time.
 */
const [LATE_DURATION_MS, MAX_LATE_BODY_BYTES] = [60_000, 16 * 1024];
/**
 * Weights of the latest window in the moving average. The rate drops faster than it rises because overestimating it
 * delays rejections.
 */
const RATE_WEIGHTS = { up: 0.3, down: 0.5 };
/** A window counts as busy if the bytes ready for processing never fell below this share of the limit. */
const BUSY_SHARE = 0.5;

const MIB = 2 ** 20;

interface AdmissionOptions {
  /** Minimum for the adaptive limit. */
  minBytes?: number;
  initialBytes?: number;
  maxBytes?: number;
  /** Returns the time in milliseconds. Default: `performance.now`. */
  now?: () => number;
}

/** Stage in which an admission's bytes are counted. Bytes in stage `none` aren't counted. */
type Stage = 'queued' | 'expected' | 'working' | 'none';

interface Sender {
  /** Bytes reserved for announced bodies. */
  expectedBytes: number;
  /** Time in milliseconds until which the project counts as late. */
  lateUntil: number;
}

/** An admitted request and its progress. Only {@link AdmissionControl} changes it. */
export interface Admission {
  /**
   * Number of reserved bytes: the announced body size, or less while the body is expected. After decoding, the decoded
   * size.
   */
  bytes: number;
  readonly sender: Sender;
  stage: Stage;
}

/**
 * Limits admitted bytes to what can be processed within the target time. The limit is the measured rate times that time
 * (Little's law).
 *
 * Windows without enough work can raise the rate but not lower it, as in BBR.
 */
export class AdmissionControl {
  private readonly bytes: Record<Stage, number> = { queued: 0, expected: 0, working: 0, none: 0 };
  /** Time at which each admission started to wait for its body, oldest first. */
  private readonly expected = new Map<Admission, number>();
  /** Senders by project ID. They are never removed because there are few of them. */
  private readonly senders = new Map<string, Sender>();
  /** Moving average in bytes per millisecond. */
  private bytesPerMs: number;
  private window = { started: 0, finished: 0, lowest: 0 };
  private readonly minBytes: number;
  private readonly maxBytes: number;
  private readonly now: () => number;

  constructor({ minBytes = MIB / 2, initialBytes = 4 * MIB, maxBytes = 64 * MIB, now }: AdmissionOptions = {}) {
    this.minBytes = minBytes;
    this.maxBytes = maxBytes;
    this.bytesPerMs = initialBytes / TARGET_LATENCY_MS;
    this.now = now ?? (() => performance.now());
  }

  get limitBytes(): number {
    return Math.min(this.maxBytes, Math.max(this.minBytes, this.bytesPerMs * TARGET_LATENCY_MS));
  }

  /** Admitted bytes that are ready for processing or still expected from clients. */
  get admittedBytes(): number {
    return this.readyBytes + this.bytes.expected;
  }

  /**
   * Admits a request based on its announced size. Call {@link finish} or {@link abandon} to release the bytes.
   *
   * The last admitted request may exceed the limit, so no body is rejected for its size alone.
   *
   * @returns Null if the limit is reached or the project reserves too many bytes for missing bodies.
   */
  admit(bytes: number, projectId: string): Admission | null {
    const sender = this.getSender(projectId);
    this.expireMissingBodies();
    if (this.admittedBytes >= this.limitBytes || sender.expectedBytes >= this.limitBytes * PROJECT_SHARE) return null;
    const admission: Admission = { bytes, stage: 'none', sender };
    this.moveTo(admission, 'queued');
    return admission;
  }

  /**
   * Starts waiting for the body. Its bytes are reserved for at most 100 ms and count toward the project's share, so
   * slow clients can't block other projects.
   */
  expectBody(admission: Admission): void {
    const { bytes, sender } = admission;
    const availableBytes = Math.max(0, Math.floor(this.limitBytes * PROJECT_SHARE) - sender.expectedBytes);
    const maxBodyBytes = this.now() < sender.lateUntil ? Math.min(availableBytes, MAX_LATE_BODY_BYTES) : availableBytes;
    this.moveTo(admission, 'expected', Math.min(bytes, maxBodyBytes));
    this.expected.set(admission, this.now());
  }

  /**
   * Starts processing a body that has arrived.
   *
   * @param bytes Decoded size.
   * @returns False if the work must not start because the body was late or larger than reserved and the limit is
   *   reached.
   */
  start(admission: Admission, bytes: number): boolean {
    const isWithinReservation = admission.stage !== 'none' && bytes <= admission.bytes;
    this.moveTo(admission, 'none');
    if (!isWithinReservation && this.admittedBytes >= this.limitBytes) return false;
    this.moveTo(admission, 'working', bytes);
    return true;
  }

  /**
   * Releases the bytes of a request whose client has disconnected. If its body was still expected, the project counts
   * as late. Has no effect once processing has started.
   */
  abandon(admission: Admission): void {
    if (admission.stage === 'expected') this.expire(admission);
    else if (admission.stage !== 'working') this.moveTo(admission, 'none');
  }

  /**
   * Releases the bytes and updates the measured rate.
   *
   * @param hasSucceeded False for failed work, which doesn't count toward the rate.
   */
  finish(admission: Admission, hasSucceeded: boolean): void {
    this.moveTo(admission, 'none');
    if (hasSucceeded) this.window.finished += admission.bytes;
    this.window.lowest = Math.min(this.window.lowest, this.readyBytes);
    const elapsed = this.now() - this.window.started;
    if (elapsed < WINDOW_MS) return;
    this.updateRate(this.window.finished / elapsed, this.window.lowest >= this.limitBytes * BUSY_SHARE);
    this.window = { started: this.now(), finished: 0, lowest: this.readyBytes };
  }

  /** Bytes that can be processed without waiting for a client. */
  private get readyBytes(): number {
    return this.bytes.queued + this.bytes.working;
  }

  private moveTo(admission: Admission, stage: Stage, bytes = admission.bytes): void {
    const wasIdle = this.readyBytes === 0;
    if (admission.stage === 'expected') {
      this.expected.delete(admission);
      admission.sender.expectedBytes -= admission.bytes;
    }
    this.bytes[admission.stage] -= admission.bytes;
    admission.stage = stage;
    admission.bytes = bytes;
    this.bytes[stage] += bytes;
    if (stage === 'expected') admission.sender.expectedBytes += bytes;
    if (wasIdle && this.readyBytes > 0) this.window = { started: this.now(), finished: 0, lowest: 0 };
  }

  private expireMissingBodies(): void {
    const cutoff = this.now() - BODY_TIMEOUT_MS;
    for (const [admission, waitingSince] of this.expected) {
      if (waitingSince >= cutoff) return;
      this.expire(admission);
    }
  }

  private expire(admission: Admission): void {
    admission.sender.lateUntil = this.now() + LATE_DURATION_MS;
    this.moveTo(admission, 'none');
  }

  private getSender(projectId: string): Sender {
    const existing = this.senders.get(projectId);
    if (existing !== undefined) return existing;
    const sender = { expectedBytes: 0, lateUntil: 0 };
    this.senders.set(projectId, sender);
    return sender;
  }

  private updateRate(rate: number, isBusy: boolean): void {
    if (rate > this.bytesPerMs) this.bytesPerMs += (rate - this.bytesPerMs) * RATE_WEIGHTS.up;
    else if (isBusy) this.bytesPerMs += (rate - this.bytesPerMs) * RATE_WEIGHTS.down;
    // Fast rejections count as finished work. Without this cap, a very high rate would take long to drop again.
    this.bytesPerMs = Math.min(this.bytesPerMs, this.maxBytes / TARGET_LATENCY_MS);
  }
}
