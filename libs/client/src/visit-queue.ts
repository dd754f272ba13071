/** Visits that wait to be sent, as JSON, oldest first. Of more than it holds, it drops the oldest. */
export class VisitQueue {
  private visits: string[] = [];
  private characters = 0;

  constructor(private readonly max: { visits: number; characters: number }) {}

  get size(): number {
    return this.visits.length;
  }

  /** @returns how many visits were dropped for it. */
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

  /** Takes the oldest visits out, at most so many, of about so many characters together; at least one, if there is one. */
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
