import { Injectable } from '@nestjs/common';
import {
  AGENT_FILES,
  COMPLIANCE_DIMENSIONS,
  findAgentFile,
  MAX_COMPLIANCE_ROWS,
  parseDimension,
  UNKNOWN_FETCHER,
  type AgentFileFetches,
  type FileAnswer,
  type StatusGroup,
} from '#libs/contracts';
import { type DimensionCount, DimensionsRepository, type Snapshot } from '#libs/visit-store';
import { RobotsFilesRepository } from './robots-files.repository.js';
import { createAnswers, findRobotsRefusals, isRobotsFile } from './robots-refusals.js';
import type { TimeRange } from './time-range.js';

/** Fetches of one file by one agent. */
export interface AgentFileCount extends AgentFileFetches {
  agent_id: string;
  served: number;
  failed: number;
}

type RobotsRefusals = ReturnType<typeof findRobotsRefusals>;

const SERVED: ReadonlySet<string> = new Set<FileAnswer | StatusGroup>([
  'file',
  'html',
  'redirect',
  'challenge',
  'served',
]);

const PURPOSES = new Map(AGENT_FILES.map(({ path, purpose }) => [path, purpose]));

/** Counts the files for agents that visitors fetched. */
@Injectable()
export class AgentFilesService {
  constructor(
    private readonly dimensions: DimensionsRepository,
    private readonly robots: RobotsFilesRepository,
  ) {}

  /**
   * Returns fetches by agent and file, and those of all unknown visitors by file, most frequent first. If there are too
   * many rows, omits entire files, so that sums by file are right.
   */
  async count(
    snapshot: Snapshot,
    projectId: string,
    range: TimeRange,
  ): Promise<{ files: AgentFileCount[]; unknownFiles: AgentFileFetches[]; refused: RobotsRefusals }> {
    const all = sumByFile(await this.dimensions.spans(snapshot, projectId, range, COMPLIANCE_DIMENSIONS.files));
    const files = all.filter(isByAgent);
    const omitted = findOmittedFiles(files);
    const isIncluded = ({ path }: AgentFileCount): boolean => !omitted.has(path);
    return {
      files: files.filter(isIncluded),
      unknownFiles: all
        .filter((file) => !isByAgent(file) && isIncluded(file))
        .map(({ agent_id: _agent, served: _served, failed: _failed, ...fetches }) => fetches),
      refused: await this.findRefusals(projectId, files),
    };
  }

  /** Like `findRobotsRefusals`, but doesn't read the times of fetches, which is faster. */
  async findRobotsRefusals(snapshot: Snapshot, projectId: string, range: TimeRange): Promise<RobotsRefusals> {
    const sums = await this.dimensions.sums(snapshot, projectId, range, COMPLIANCE_DIMENSIONS.files);
    return this.findRefusals(projectId, sumByFile(sums).filter(isByAgent));
  }

  private async findRefusals(projectId: string, files: readonly AgentFileCount[]): Promise<RobotsRefusals> {
    const hasHtml = files.some((file) => isRobotsFile(file) && file.answers.html > 0);
    return findRobotsRefusals(files, hasHtml && (await this.robots.areValid(projectId)));
  }
}

/** Returns the paths of files for which there is no room, if each file has a row per agent. */
function findOmittedFiles(files: readonly AgentFileCount[]): Set<string> {
  let rows = 0;
  const omitted = new Set<string>();
  for (const [path, agents] of Map.groupBy(files, (file) => file.path)) {
    if (rows >= MAX_COMPLIANCE_ROWS) omitted.add(path);
    else rows += agents.length;
  }
  return omitted;
}

const isByAgent = ({ agent_id: id }: AgentFileCount): boolean => id !== UNKNOWN_FETCHER;

/** @returns most frequent first. `last_at` is empty if the counts have no times. */
function sumByFile(counts: readonly (DimensionCount & { last_at?: Date })[]): AgentFileCount[] {
  const files = new Map<string, AgentFileCount>();
  for (const { value, visits, last_at: last } of counts) {
    if (value === '') continue;
    const [agentId, answer, counted] = parseDimension(value) as [string, FileAnswer | StatusGroup, string];
    // Version 0.1.0 counted each path of a group.
    const path = findAgentFile(counted) ?? counted;
    const key = `${agentId} ${path}`;
    if (!files.has(key)) files.set(key, createCount(agentId, path));
    const file = files.get(key)!;
    file.visits += visits;
    if (SERVED.has(answer)) file.served += visits;
    else if (answer !== 'none') file.failed += visits;
    if (Object.hasOwn(file.answers, answer)) file.answers[answer as keyof typeof file.answers] += visits;
    const time = last?.toISOString() ?? '';
    if (time > file.last_at) file.last_at = time;
  }
  return [...files.values()].toSorted((one, other) => other.visits - one.visits || (one.path < other.path ? -1 : 1));
}

const createCount = (agentId: string, path: string): AgentFileCount => ({
  agent_id: agentId,
  path,
  purpose: PURPOSES.get(path) ?? null,
  visits: 0,
  served: 0,
  failed: 0,
  answers: createAnswers(),
  last_at: '',
});
