/** Target time to process admitted bytes, in milliseconds. Well below the response deadline of 2 s. */
const TARGET_MS = 500;
/** Length of a measurement window, in milliseconds. */
const WINDOW_MS = 250;
/** Milliseconds to wait for a body before its project counts as late. */
const BODY_TIMEOUT_MS = 100;
/** Maximum share of the limit reserved for expected bodies of one project, so the others keep some capacity. */
const PROJECT_SHARE = 0.5;
/**
 * Milliseconds for which a project counts as late, and the maximum bytes reserved for each of its bodies in that time.
 */
const [LATE_MS, LATE_BYTES] = [60_000, 16 * 1024];
/**
 * Weights of a window in the moving average. The rate drops faster than it rises, because an overestimated rate delays
 * refusals.
 */
const WEIGHT = { up: 0.3, down: 0.5 };
/** A window counts as busy if the bytes ready for processing never fell below this share of the limit. */
const BUSY_SHARE = 0.5;

const MIB = 2 ** 20;

interface AdmissionOptions {
  /** Lower bound of the limit. */
  minBytes?: number;
  initialBytes?: number;
  maxBytes?: number;
  /** Default: `performance.now`. */
  now?: () => number;
}

/** Stage in which the bytes of an admission are counted. `none`: not counted. */
type Stage = 'queued' | 'expected' | 'working' | 'none';

/** State of a project that sends visits. */
interface Sender {
  /** Bytes reserved for announced bodies. */
  expected: number;
  /** Time until which the project counts as late. */
  lateUntil: number;
}

/** An admitted request and its progress. Only {@link AdmissionControl} changes it. */
export interface Admission {
  /** Announced size, then the bytes reserved while the body is expected, then the decoded size. */
  bytes: number;
  readonly sender: Sender;
  stage: Stage;
}

/**
 * Admits only as much work as can be done in time. The limit is the measured rate times the target time (Little's law).
 *
 * The rate is only lowered by windows with enough work to show it. As in BBR, other windows can only raise it.
 */
export class AdmissionControl {
  private readonly bytes: Record<Stage, number> = { queued: 0, expected: 0, working: 0, none: 0 };
  /** Admissions that wait for a body, oldest first, with the start of the wait. */
  private readonly expected = new Map<Admission, number>();
  /** Senders by project ID. There are few, so they are kept until the process ends. */
  private readonly senders = new Map<string, Sender>();
  /** Bytes per millisecond. */
  private rate: number;
  private window = { started: 0, finished: 0, lowest: 0 };
  private readonly minBytes: number;
  private readonly maxBytes: number;
  private readonly now: () => number;

  constructor({ minBytes = MIB / 2, initialBytes = 4 * MIB, maxBytes = 64 * MIB, now }: AdmissionOptions = {}) {
    this.minBytes = minBytes;
    this.maxBytes = maxBytes;
    this.rate = initialBytes / TARGET_MS;
    this.now = now ?? (() => performance.now());
  }

  /** Maximum of admitted bytes. */
  get limit(): number {
    return Math.min(this.maxBytes, Math.max(this.minBytes, this.rate * TARGET_MS));
  }

  /** Admitted bytes in progress: {@link ready}, or expected from clients. */
  get admitted(): number {
    return this.ready + this.bytes.expected;
  }

  /**
   * Admits a request by its announced size. {@link end} or {@link abandon} releases the bytes. The last admitted
   * request may exceed the limit, so no body is refused only for its size.
   *
   * @returns null if the limit is reached, or if too many bytes are still expected from the project's clients.
   */
  admit(bytes: number, projectId: string): Admission | null {
    const sender = this.senderOf(projectId);
    this.forgetMissingBodies();
    if (this.admitted >= this.limit || sender.expected >= this.limit * PROJECT_SHARE) return null;
    const admission: Admission = { bytes, stage: 'none', sender };
    this.move(admission, 'queued');
    return admission;
  }

  /**
   * Starts waiting for the body. Its bytes count for 100 ms and within the project's share. A client that sends slowly,
   * or never, can't keep other projects out.
   */
  expectBody(admission: Admission): void {
    const { bytes, sender } = admission;
    const share = Math.max(0, Math.floor(this.limit * PROJECT_SHARE) - sender.expected);
    const counted = this.now() < sender.lateUntil ? Math.min(share, LATE_BYTES) : share;
    this.move(admission, 'expected', Math.min(bytes, counted));
    this.expected.set(admission, this.now());
  }

  /**
   * Starts the work once the body has arrived.
   *
   * @param bytes Decoded size.
   * @returns false if the work must not start: the body was late or larger than reserved, and no capacity is available.
   */
  start(admission: Admission, bytes: number): boolean {
    const isAsAdmitted = admission.stage !== 'none' && bytes <= admission.bytes;
    this.move(admission, 'none');
    if (!isAsAdmitted && this.admitted >= this.limit) return false;
    this.move(admission, 'working', bytes);
    return true;
  }

  /**
   * Releases the bytes of a request whose client has disconnected. If its body was still expected, the project counts
   * as late. Does nothing once the work has started.
   */
  abandon(admission: Admission): void {
    if (admission.stage === 'expected') this.giveUpOn(admission);
    else if (admission.stage !== 'working') this.move(admission, 'none');
  }

  /**
   * Releases the bytes and updates the rate.
   *
   * @param isDone Whether the work was done. Failed work doesn't count toward the rate.
   */
  end(admission: Admission, isDone: boolean): void {
    this.move(admission, 'none');
    if (isDone) this.window.finished += admission.bytes;
    this.window.lowest = Math.min(this.window.lowest, this.ready);
    const elapsed = this.now() - this.window.started;
    if (elapsed < WINDOW_MS) return;
    this.learn(this.window.finished / elapsed, this.window.lowest >= this.limit * BUSY_SHARE);
    this.window = { started: this.now(), finished: 0, lowest: this.ready };
  }

  /** Bytes that can be processed without waiting for a client. */
  private get ready(): number {
    return this.bytes.queued + this.bytes.working;
  }

  private move(admission: Admission, stage: Stage, bytes = admission.bytes): void {
    const wasIdle = this.ready === 0;
    if (admission.stage === 'expected') {
      this.expected.delete(admission);
      admission.sender.expected -= admission.bytes;
    }
    this.bytes[admission.stage] -= admission.bytes;
    admission.stage = stage;
    admission.bytes = bytes;
    this.bytes[stage] += bytes;
    if (stage === 'expected') admission.sender.expected += bytes;
    if (wasIdle && this.ready > 0) this.window = { started: this.now(), finished: 0, lowest: 0 };
  }

  private forgetMissingBodies(): void {
    const oldest = this.now() - BODY_TIMEOUT_MS;
    for (const [admission, since] of this.expected) {
      if (since >= oldest) return;
      this.giveUpOn(admission);
    }
  }

  private giveUpOn(admission: Admission): void {
    admission.sender.lateUntil = this.now() + LATE_MS;
    this.move(admission, 'none');
  }

  private senderOf(projectId: string): Sender {
    const known = this.senders.get(projectId);
    if (known !== undefined) return known;
    const sender = { expected: 0, lateUntil: 0 };
    this.senders.set(projectId, sender);
    return sender;
  }

  private learn(rate: number, isBusy: boolean): void {
    if (rate > this.rate) this.rate += (rate - this.rate) * WEIGHT.up;
    else if (isBusy) this.rate += (rate - this.rate) * WEIGHT.down;
    // Quick rejections count as finished work. A rate above the maximum would only take longer to drop.
    this.rate = Math.min(this.rate, this.maxBytes / TARGET_MS);
  }
}
