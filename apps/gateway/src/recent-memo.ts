/**
 * Memoizes results for recent texts, in two maps. When the young map is full, it replaces the old one. Most hits cost a
 * single lookup, so the memo can be used for every value of every visit.
 */
export class RecentMemo<Value> {
  private young = new Map<string, Value>();
  private old = new Map<string, Value>();

  /** @param max Maximum number of entries per map. */
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
