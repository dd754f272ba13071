/** FIFO queue of visits as JSON strings. When the queue is full, the oldest visits are dropped. */
export class VisitQueue {
  private visits: string[] = [];
  private characters = 0;

  constructor(private readonly max: { visits: number; characters: number }) {}

  get size(): number {
    return this.visits.length;
  }

  /** Adds a visit and returns the number of visits dropped to make room for it. */
  add(visit: string): number {
    this.visits.push(visit);
    this.characters += visit.length;
    let dropped = 0;
    while (this.visits.length > this.max.visits || this.characters > this.max.characters) {
      this.characters -= this.visits.shift()!.length;
      dropped += 1;
    }
    return dropped;
  }

  /** Removes and returns the oldest visits, up to both limits. Returns at least one visit unless the queue is empty. */
  take(maxVisits: number, maxCharacters: number): string[] {
    let count = 0;
    let characters = 0;
    for (const visit of this.visits) {
      if (count === maxVisits || (count > 0 && characters + visit.length > maxCharacters)) break;
      count += 1;
      characters += visit.length;
    }
    this.characters -= characters;
    return this.visits.splice(0, count);
  }
}
