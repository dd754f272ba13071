import { setTimeout as sleep } from 'node:timers/promises';
import { createBatchId, createVisitId, type EnrichedVisit, type VisitPosition } from '#libs/contracts';
import type { DataSource } from 'typeorm';
import { startTestDatabase, type TestDatabase } from '../../../test/kit/database.js';
import { FaultyProcess } from '../../../test/kit/faulty-process.js';
import { createVisitRow } from '../../../test/kit/stored-visits.js';
import { createRepository, readStoredIds, readVisits } from '../../../test/kit/visit-store.js';
import { seededRandom } from '../../../test/log-generator.js';
import { PartitionsRepository, toDayNumber } from './partitions.repository.js';
import { TimelineRepository } from './timeline.repository.js';
import { NO_AGENT } from './visit-counts.js';
import type { VisitRow } from './visit-row.js';
import { VisitsRepository } from './visits.repository.js';

const SEEDS = Array.from({ length: process.env['FAULTS'] === 'full' ? 60 : 2 }, (_, index) => index + 1);
const FAULT_PROBABILITY = 0.1;
const PROJECTS = [1, 2].map((number) => `019a0000-0000-7000-8000-00000000000${number}`);
const MESSAGE_COUNT = 300;
const MAX_BATCH_MESSAGES = 25;
const WRITER_COUNT = 4;
/** Maximum pause of each task between its steps. */
const MAX_PAUSE_MS = 10;
const DAY_MS = 86_400_000;
/** Ages of visits in days. */
const AGES = [0, 0, 0, 1, 30];
/** Results of identification, which can differ each time a message is delivered. */
const AGENTS = [undefined, undefined, 'GPTBot', 'ClaudeBot'];

interface Message {
  id: string;
  projectId: string;
  receivedAt: number;
  isCountOnly: boolean;
}

const isCountOnly = (message: Message): boolean => message.isCountOnly;

type Random = () => number;
const pick = <T>(random: Random, items: readonly T[]): T => items[Math.floor(random() * items.length)]!;

function createMessages(random: Random, now: number): Message[] {
  return Array.from({ length: MESSAGE_COUNT }, () => {
    const receivedAt = now - pick(random, AGES) * DAY_MS;
    const id = createVisitId(createBatchId(receivedAt), 0);
    return { id, projectId: pick(random, PROJECTS), receivedAt, isCountOnly: random() < 0.1 };
  });
}

/** Returns a batch of messages in any order, including some that may have been acknowledged or that are repeated. */
function pickBatch(random: Random, messages: readonly Message[], unacknowledged: readonly Message[]): Message[] {
  const count = 1 + Math.floor(random() * MAX_BATCH_MESSAGES);
  return Array.from({ length: count }, () => pick(random, random() < 0.8 ? unacknowledged : messages));
}

function deliver(random: Random, { id, projectId, receivedAt, isCountOnly: counted }: Message): VisitRow {
  const agent = pick(random, AGENTS);
  const at = new Date(receivedAt).toISOString();
  const visit = counted ? { at, keptAs: 'counted' as const } : { at, ...(agent !== undefined && { agent }) };
  return createVisitRow(projectId, id, receivedAt, visit);
}

/** Returns a visit's ID and agent. */
function summarize(document: string): string {
  const { id, identification } = JSON.parse(document) as EnrichedVisit;
  return `${id} ${identification.agent_token}`;
}

/** Reads a project's stream. */
class StreamReader {
  /** Summaries of the visits by shard. */
  readonly visits = new Map<number, string[]>();
  private position: VisitPosition = [];

  constructor(
    private readonly timeline: TimelineRepository,
    private readonly projectId: string,
  ) {}

  /** Reads the next visits. Returns whether there were any. */
  async read(limit: number): Promise<boolean> {
    const part = await this.timeline.readAfter(this.projectId, this.position, limit);
    for (const { position, document } of part.visits) {
      const shard = position.length - 1;
      const visits = this.visits.get(shard) ?? [];
      this.visits.set(shard, visits);
      visits.push(summarize(document));
    }
    this.position = part.position;
    return part.visits.length > 0;
  }

  async readAll(): Promise<void> {
    while (await this.read(1_000));
  }
}

/** Counts values and returns them as sorted text. */
const countValues = (values: readonly string[]): string[] =>
  [...Map.groupBy(values, (value) => value)].map(([value, { length }]) => `${value}: ${length}`).toSorted();

/** Returns the visit counts by project, agent, and result, as `countValues` does. */
async function readCounts(dataSource: DataSource): Promise<string[]> {
  const rows: { key: string; visits: number }[] = await dataSource.query(
    `SELECT concat_ws(' ', project_id, agent_id, result) AS key, sum(visits)::int AS visits FROM visit_counts GROUP BY 1`,
  );
  return rows.map(({ key, visits }) => `${key}: ${visits}`).toSorted();
}

/** Delivers all messages until they are acknowledged, while streams are being read. */
class Simulation {
  readonly readers: readonly StreamReader[];
  private readonly unacknowledged: Set<Message>;
  private readonly processes: FaultyProcess[] = [];

  constructor(
    private readonly database: TestDatabase,
    private readonly messages: readonly Message[],
    timeline: TimelineRepository,
    private readonly random: Random,
  ) {
    this.unacknowledged = new Set(messages);
    this.readers = PROJECTS.map((projectId) => new StreamReader(timeline, projectId));
  }

  async run(): Promise<void> {
    const tasks = [
      ...Array.from({ length: WRITER_COUNT }, () => this.runProcess((visits) => this.store(visits))),
      this.runProcess((visits) => this.finishStoring(visits)),
      ...this.readers.map((reader) => this.repeat(() => reader.read(1 + Math.floor(this.random() * 20)))),
      this.repeat(() => this.checkAccepted()),
    ];
    try {
      await Promise.all(tasks);
    } finally {
      this.unacknowledged.clear();
      await Promise.allSettled(tasks);
      await Promise.all(this.processes.map((process) => process.stop()));
    }
  }

  private async repeat(work: () => Promise<unknown>): Promise<void> {
    while (this.unacknowledged.size > 0) {
      await work();
      await sleep(this.random() * MAX_PAUSE_MS);
    }
  }

  /** Repeats `work` in a process. Starts another one if it dies. */
  private async runProcess(work: (visits: VisitsRepository) => Promise<void>): Promise<void> {
    let process: FaultyProcess | null = null;
    await this.repeat(async () => {
      if (process === null || process.isDead) {
        process = await FaultyProcess.start(this.database.url, { random: this.random, probability: FAULT_PROBABILITY });
        this.processes.push(process);
      }
      await work(process.visitStore.get(VisitsRepository));
    });
  }

  /** Stores a batch. If that succeeds, its visits must be stored, and its messages are acknowledged. */
  private async store(visits: VisitsRepository): Promise<void> {
    const batch = pickBatch(this.random, this.messages, [...this.unacknowledged]);
    try {
      await visits.store(batch.map((message) => deliver(this.random, message)));
    } catch {
      return;
    }
    const storedIds = new Set((await readVisits(this.database.dataSource)).map(({ id }) => id));
    expect(batch.filter(({ id, isCountOnly }) => !isCountOnly && !storedIds.has(id))).toEqual([]);
    for (const message of batch) this.unacknowledged.delete(message);
  }

  private async finishStoring(visits: VisitsRepository): Promise<void> {
    await visits.finishStoring(0).catch(() => null);
  }

  /** Visits are only stored after PostgreSQL has accepted them. */
  private async checkAccepted(): Promise<void> {
    const { dataSource } = this.database;
    const visits = await readVisits(dataSource);
    const ids: { id: string }[] = await dataSource.query('SELECT id FROM unknown_visits');
    const accepted = new Set(ids.map(({ id }) => id));
    expect(visits.filter(({ id }) => !accepted.has(id))).toEqual([]);
  }
}

let database: TestDatabase;
beforeEach(async () => {
  database = await startTestDatabase();
});
afterEach(() => database.stop());

it.each(SEEDS)('stores, counts, and streams each visit exactly once despite faults (seed %i)', async (seed) => {
  const { dataSource } = database;
  const random = seededRandom(seed);
  const now = Date.now();
  await (
    await createRepository(dataSource, PartitionsRepository)
  ).ensure([...new Set(AGES)].map((age) => toDayNumber(now) - age));
  const messages = createMessages(random, now);
  const timeline = await createRepository(dataSource, TimelineRepository);
  const simulation = new Simulation(database, messages, timeline, random);
  await simulation.run();
  await (await createRepository(dataSource, VisitsRepository)).finishStoring(0);

  const visits = await readVisits(dataSource);
  const [countOnly, stored] = [messages.filter(isCountOnly), messages.filter((message) => !isCountOnly(message))];
  expect(visits.map(({ id }) => id)).toEqual(stored.map(({ id }) => id).toSorted());
  expect(await readStoredIds(dataSource)).toEqual(messages.map(({ id }) => id).toSorted());
  expect(await readCounts(dataSource)).toEqual(
    countValues([
      ...visits.map((visit) => `${visit.project_id} ${visit.agent_id ?? NO_AGENT} ${visit.result}`),
      ...countOnly.map(({ projectId }) => `${projectId} ${NO_AGENT} unknown_agent`),
    ]),
  );
  for (const [index, reader] of simulation.readers.entries()) {
    const projectId = PROJECTS[index]!;
    await reader.readAll();
    const documents = visits.filter((visit) => visit.project_id === projectId).map(({ document }) => document);
    expect([...reader.visits.values()].flat().toSorted()).toEqual(documents.map(summarize).toSorted());
    const secondReader = new StreamReader(timeline, projectId);
    await secondReader.readAll();
    expect(secondReader.visits).toEqual(reader.visits);
  }
});
