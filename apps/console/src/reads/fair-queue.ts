/** Principal and project that a read counts against. */
export interface Reader {
  principal: string;
  /** Empty if the data doesn't belong to a project. */
  project: string;
}

interface FairQueueOptions {
  concurrency: number;
  /** Maximum number of jobs that can run at the same time for a principal, and for a project. */
  share: number;
}

type StartJob = () => void;

/** Runs jobs up to a concurrency limit. Alternates between projects, and between principals within each project. */
export class FairQueue {
  private running = 0;
  private readonly runningByName = new Map<string, number>();
  /** Waiting jobs by project, then by principal. The insertion order of both maps determines whose turn is next. */
  private readonly waitingJobs = new Map<string, Map<string, StartJob[]>>();

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

  private add({ principal, project }: Reader, start: StartJob): void {
    const principals = this.waitingJobs.get(project) ?? new Map<string, StartJob[]>();
    principals.set(principal, [...(principals.get(principal) ?? []), start]);
    this.waitingJobs.set(project, principals);
  }

  /** Moves the job's project and principal to the back of the queue. */
  private takeNext(): StartJob | undefined {
    for (const [project, principals] of this.waitingJobs) {
      if (project !== '' && !this.hasCapacity(`project ${project}`)) continue;
      for (const [principal, [start, ...others]] of principals) {
        if (!this.hasCapacity(`principal ${principal}`)) continue;
        principals.delete(principal);
        if (others.length > 0) principals.set(principal, others);
        this.waitingJobs.delete(project);
        if (principals.size > 0) this.waitingJobs.set(project, principals);
        return start;
      }
    }
    return undefined;
  }

  private hasCapacity(name: string): boolean {
    return (this.runningByName.get(name) ?? 0) < this.options.share;
  }

  private count({ principal, project }: Reader, by: 1 | -1): void {
    this.running += by;
    for (const name of [`project ${project}`, `principal ${principal}`]) {
      const running = (this.runningByName.get(name) ?? 0) + by;
      if (running === 0) this.runningByName.delete(name);
      else this.runningByName.set(name, running);
    }
  }
}
