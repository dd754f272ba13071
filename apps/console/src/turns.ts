/** Lets only so many do something at once; the others wait in the order in which they came. */
export class Turns {
  private underWay = 0;
  private readonly waiting: (() => void)[] = [];

  constructor(private readonly most: number) {}

  /** @param patience milliseconds to wait for a turn. @param late makes what is thrown when there was none. */
  async take<T>(work: () => Promise<T>, patience: number, late: () => Error): Promise<T> {
    await this.turn(patience, late);
    try {
      return await work();
    } finally {
      const next = this.waiting.shift();
      // The place goes over to the next.
      if (next === undefined) this.underWay -= 1;
      else next();
    }
  }

  private async turn(patience: number, late: () => Error): Promise<void> {
    if (this.underWay < this.most) {
      this.underWay += 1;
      return;
    }
    await new Promise<void>((resolve, reject) => {
      const start = (): void => {
        clearTimeout(timer);
        resolve();
      };
      const timer = setTimeout(() => {
        this.waiting.splice(this.waiting.indexOf(start), 1);
        reject(late());
      }, patience);
      this.waiting.push(start);
    });
  }
}
