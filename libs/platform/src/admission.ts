/** Milliseconds that what is admitted may take: well below the 2 s within which every request is answered. */
const TARGET_MS = 800;
/** Milliseconds over which the rate is measured. */
const WINDOW_MS = 250;
/** Milliseconds within which a body arrives that a client sends at once. */
const EXPECTED_MS = 100;
/** How much a window counts in the moving average: an overestimate costs late refusals, so it ends sooner. */
const WEIGHT = { up: 0.3, down: 0.5 };
/** A window in which at least this share of the limit was always under way shows all that can be done. */
const BUSY_SHARE = 0.5;

const MIB = 2 ** 20;

export interface AdmissionOptions {
  /** Bytes under way that are admitted however slow it gets, and before anything was measured. */
  minBytes?: number;
  initialBytes?: number;
  maxBytes?: number;
  /** Milliseconds. */
  now?: () => number;
}

/**
 * Admits what can be done in time, and nothing else: bytes under way are bounded by the measured rate times the time
 * they may take (Little's law). The rate is that of the windows in which there was enough to do; as in BBR, windows
 * with less to do can show that it is higher, never that it is lower.
 */
export class AdmissionControl {
  private bytesUnderWay = 0;
  private isIdle = true;
  private bytesExpected = 0;
  private readonly expected: { bytes: number; at: number }[] = [];
  /** Bytes a millisecond. */
  private rate: number;
  private window = { started: 0, finished: 0, lowest: 0 };
  private readonly minBytes: number;
  private readonly maxBytes: number;
  private readonly now: () => number;

  constructor({ minBytes = MIB / 2, initialBytes = 2 * MIB, maxBytes = 64 * MIB, now }: AdmissionOptions = {}) {
    this.minBytes = minBytes;
    this.maxBytes = maxBytes;
    this.rate = initialBytes / TARGET_MS;
    this.now = now ?? (() => performance.now());
  }

  /** Bytes that may be under way. */
  get limit(): number {
    return Math.min(this.maxBytes, Math.max(this.minBytes, this.rate * TARGET_MS));
  }

  get underWay(): number {
    return this.bytesUnderWay;
  }

  /**
   * Whether to read a body of so many bytes. Those read at the same moment are counted for a short while, so that no
   * more are read than can be admitted, and clients that send slowly keep nobody out.
   */
  expect(bytes: number): boolean {
    if (!this.hasCapacityBehind(0)) return false;
    this.expected.push({ bytes, at: this.now() });
    this.bytesExpected += bytes;
    return true;
  }

  /** @param queued bytes that come first. */
  hasCapacityBehind(queued: number): boolean {
    const oldest = this.now() - EXPECTED_MS;
    while (this.expected.length > 0 && this.expected[0]!.at < oldest) this.arrived();
    return this.hasCapacityBeyond(this.bytesUnderWay + this.bytesExpected + queued);
  }

  /** Counts the bytes as under way until {@link leave}. @returns false, and counts nothing, when they are too many. */
  enter(bytes: number): boolean {
    this.arrived();
    if (!this.hasCapacityBeyond(this.bytesUnderWay)) return false;
    if (this.isIdle) this.window = { started: this.now(), finished: 0, lowest: 0 };
    this.isIdle = false;
    this.bytesUnderWay += bytes;
    return true;
  }

  /**
   * @param isDone whether the work was done; what failed or was given up shows no rate.
   * @param queued bytes that wait to be read, which is work to do, too.
   */
  leave(bytes: number, isDone: boolean, queued = 0): void {
    this.bytesUnderWay -= bytes;
    this.window.lowest = Math.min(this.window.lowest, this.bytesUnderWay + queued);
    this.isIdle = this.bytesUnderWay + queued === 0;
    if (isDone) this.window.finished += bytes;
    const elapsed = this.now() - this.window.started;
    if (elapsed < WINDOW_MS) return;
    this.learn(this.window.finished / elapsed, this.window.lowest >= this.limit * BUSY_SHARE);
    this.window = { started: this.now(), finished: 0, lowest: this.bytesUnderWay + queued };
  }

  /** The last request that is admitted may exceed the limit: a large body is never refused only because it is large. */
  private hasCapacityBeyond(taken: number): boolean {
    return taken < this.limit;
  }

  private arrived(): void {
    this.bytesExpected -= this.expected.shift()?.bytes ?? 0;
  }

  private learn(rate: number, isBusy: boolean): void {
    if (rate > this.rate) this.rate += (rate - this.rate) * WEIGHT.up;
    else if (isBusy) this.rate += (rate - this.rate) * WEIGHT.down;
  }
}
