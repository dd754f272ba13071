/**
 * Two-generation cache. When the young generation is full, it replaces the old one. Unlike in an LRU cache, most hits
 * cost a single lookup, which is cheap enough for every value in every visit.
 */
export class RecentMemo<Value> {
  private young = new Map<string, Value>();
  private old = new Map<string, Value>();

  /** @param max Maximum number of entries per generation. The cache can contain twice as many. */
  constructor(private readonly max: number) {}

  get(text: string): Value | undefined {
    const recent = this.young.get(text);
    if (recent !== undefined) return recent;
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
