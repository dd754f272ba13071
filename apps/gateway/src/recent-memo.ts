/**
 * Remembers what was worked out for texts, the recent ones: two maps, of which the older goes once the younger is full.
 * Reading one costs a look-up, so that it can stand in the path of every value of every visit.
 */
export class RecentMemo<Value> {
  private young = new Map<string, Value>();
  private old = new Map<string, Value>();

  /** @param max entries of one generation. */
  constructor(private readonly max: number) {}

  get(text: string): Value | undefined {
    const known = this.young.get(text);
    if (known !== undefined) return known;
    const older = this.old.get(text);
    if (older !== undefined) this.set(text, older);
    return older;
  }

  set(text: string, value: Value): void {
    if (this.young.size >= this.max) {
      this.old = this.young;
      this.young = new Map();
    }
    this.young.set(text, value);
  }
}
