/** Milliseconds that what is admitted may take: well below the 2 s within which every request is answered. */
const TARGET_MS = 500;
/** Milliseconds over which the rate is measured. */
const WINDOW_MS = 250;
/** Milliseconds within which a body arrives that a client sends immediately. */
const BODY_TIMEOUT_MS = 100;
/** How much of the limit may be expected of one project's clients: the others' visits find capacity beside it. */
const PROJECT_SHARE = 0.5;
/** Milliseconds for which a project whose body did not come is late, and bytes that each of its bodies counts until then. */
const [LATE_MS, LATE_BYTES] = [60_000, 16 * 1024];
/** How much a window counts in the moving average: an overestimate costs late refusals, so it ends sooner. */
const WEIGHT = { up: 0.3, down: 0.5 };
/** A window in which at least this share of the limit was always at hand shows all that can be done. */
const BUSY_SHARE = 0.5;

const MIB = 2 ** 20;

interface AdmissionOptions {
  /** Bytes that are admitted however slow it gets, and before anything was measured. */
  minBytes?: number;
  initialBytes?: number;
  maxBytes?: number;
  /** Milliseconds. */
  now?: () => number;
}

/** Where the bytes of an admission count; `none` when they do not, for now or for good. */
type Stage = 'queued' | 'expected' | 'working' | 'none';

/** A project that posts. */
interface Sender {
  /** Bytes that are expected of its clients, as they count. */
  expected: number;
  /** Until when little of what its clients announce counts. */
  lateUntil: number;
}

/** A request that was admitted, and how far it is. Only {@link AdmissionControl} changes it. */
export interface Admission {
  /** As announced, then as it counts while it is expected, then as decoded. */
  bytes: number;
  readonly sender: Sender;
  stage: Stage;
}

/**
 * Admits what can be done in time, and nothing else: admitted bytes are bounded by the measured rate times the time
 * they may take (Little's law). The rate is that of the windows in which there was enough to do; as in BBR, windows
 * with less to do can show that it is higher, never that it is lower.
 */
export class AdmissionControl {
  private readonly bytes: Record<Stage, number> = { queued: 0, expected: 0, working: 0, none: 0 };
  /** Those whose body is expected, the oldest first, and since when. */
  private readonly expected = new Map<Admission, number>();
  /** By id of the project: those that posted since the start, of which there are few. */
  private readonly senders = new Map<string, Sender>();
  /** Bytes a millisecond. */
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

  /** Bytes that may be admitted at a time. */
  get limit(): number {
    return Math.min(this.maxBytes, Math.max(this.minBytes, this.rate * TARGET_MS));
  }

  /** Bytes of what is admitted and not done: {@link ready}, or expected of clients. */
  get admitted(): number {
    return this.ready + this.bytes.expected;
  }

  /**
   * Admits a request by the size that its head announces; {@link end} gives the bytes back. The last one that is admitted
   * may exceed the limit: a large body is never refused only because it is large.
   *
   * @returns null when there is too much to do, or the project's clients have yet to send what they announced.
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
   * From now on the client is waited for. Its bytes count for 100 ms, and only within the project's share: a client that
   * sends slowly or announces what it never sends keeps no other project out.
   */
  expectBody(admission: Admission): void {
    const { bytes, sender } = admission;
    const share = Math.max(0, Math.floor(this.limit * PROJECT_SHARE) - sender.expected);
    const counted = this.now() < sender.lateUntil ? Math.min(share, LATE_BYTES) : share;
    this.move(admission, 'expected', Math.min(bytes, counted));
    this.expected.set(admission, this.now());
  }

  /**
   * The body is there.
   *
   * @param bytes as decoded.
   * @returns whether to do the work: what was late, or is larger than what counted, needs capacity anew.
   */
  start(admission: Admission, bytes: number): boolean {
    const isAsAdmitted = admission.stage !== 'none' && bytes <= admission.bytes;
    this.move(admission, 'none');
    if (!isAsAdmitted && this.admitted >= this.limit) return false;
    this.move(admission, 'working', bytes);
    return true;
  }

  /** Gives back what the admission takes, unless the work is being done: when its client has gone away, for one. */
  abandon(admission: Admission): void {
    if (admission.stage === 'expected') this.giveUpOn(admission);
    else if (admission.stage !== 'working') this.move(admission, 'none');
  }

  /** @param isDone whether the work was done; what failed or was given up shows no rate. */
  end(admission: Admission, isDone: boolean): void {
    this.move(admission, 'none');
    if (isDone) this.window.finished += admission.bytes;
    this.window.lowest = Math.min(this.window.lowest, this.ready);
    const elapsed = this.now() - this.window.started;
    if (elapsed < WINDOW_MS) return;
    this.learn(this.window.finished / elapsed, this.window.lowest >= this.limit * BUSY_SHARE);
    this.window = { started: this.now(), finished: 0, lowest: this.ready };
  }

  /** Bytes that nobody has to be waited for to handle. */
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

  /** The body did not come. */
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
    // What is refused quickly is done quickly, too: a rate beyond what is ever admitted would only take longer to unlearn.
    this.rate = Math.min(this.rate, this.maxBytes / TARGET_MS);
  }
}
