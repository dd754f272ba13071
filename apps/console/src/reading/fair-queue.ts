/** Principal and project of a read. */
export interface Reader {
  principal: string;
  /** Empty if the data belongs to no project. */
  project: string;
}

interface FairQueueOptions {
  concurrency: number;
  /** Maximum number of running jobs per principal and per project. */
  share: number;
}

type Start = () => void;

/** Runs jobs under a concurrency limit. Projects take turns, and so do the principals within each project. */
export class FairQueue {
  private running = 0;
  private readonly runningOf = new Map<string, number>();
  /** Jobs by project, then by principal. Both are in the order of their turns. */
  private readonly waiting = new Map<string, Map<string, Start[]>>();

  constructor(private readonly options: FairQueueOptions) {}

  run<T>(reader: Reader, job: () => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const start = (): void => {
        this.count(reader, 1);
        job()
          .then(resolve, reject)
          .finally(() => {
            this.count(reader, -1);
            this.startNext();
          });
      };
      this.add(reader, start);
      this.startNext();
    });
  }

  private startNext(): void {
    while (this.running < this.options.concurrency) {
      const start = this.takeNext();
      if (start === undefined) return;
      start();
    }
  }

  private add({ principal, project }: Reader, start: Start): void {
    const principals = this.waiting.get(project) ?? new Map<string, Start[]>();
    principals.set(principal, [...(principals.get(principal) ?? []), start]);
    this.waiting.set(project, principals);
  }

  /** Removes and returns the next job that may start. Its project and principal go to the back of the line. */
  private takeNext(): Start | undefined {
    for (const [project, principals] of this.waiting) {
      if (project !== '' && !this.hasShare(`project ${project}`)) continue;
      for (const [principal, [start, ...others]] of principals) {
        if (!this.hasShare(`principal ${principal}`)) continue;
        principals.delete(principal);
        if (others.length > 0) principals.set(principal, others);
        this.waiting.delete(project);
        if (principals.size > 0) this.waiting.set(project, principals);
        return start;
      }
    }
    return undefined;
  }

  private hasShare(name: string): boolean {
    return (this.runningOf.get(name) ?? 0) < this.options.share;
  }

  private count({ principal, project }: Reader, by: 1 | -1): void {
    this.running += by;
    for (const name of [`project ${project}`, `principal ${principal}`]) {
      const running = (this.runningOf.get(name) ?? 0) + by;
      if (running === 0) this.runningOf.delete(name);
      else this.runningOf.set(name, running);
    }
  }
}
