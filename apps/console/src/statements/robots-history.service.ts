import { Injectable } from '@nestjs/common';
import { invalidQueryError } from '#libs/platform';
import { parseRobotsSignals } from '#libs/robots';
import { RobotsLinesRepository } from '../compliance/robots-lines.repository.js';
import { RobotsVersionsRepository } from '../robots-versions/robots-versions.repository.js';
import type { VersionWithSignals } from './statement-builder.js';

/** Maximum number of versions to read. The repository keeps no more per project. */
const MAX_VERSIONS = 2_000;
/** Maximum total length of the versions' licenses and preferences, in characters. */
const MAX_SIGNALS_LENGTH = 4_000_000;

type Signals = Pick<VersionWithSignals, 'licenses' | 'preferences'>;

/** Reads a project's robots.txt versions with their licenses. */
@Injectable()
export class RobotsHistoryService {
  constructor(
    private readonly versions: RobotsVersionsRepository,
    private readonly lines: RobotsLinesRepository,
  ) {}

  /**
   * Returns the versions that were in force at some time in the range, in milliseconds since the epoch.
   *
   * @throws {ProblemError} 422 if their licenses and preferences are too long.
   */
  async list(projectId: string, { from, to }: { from: number; to: number }): Promise<VersionWithSignals[]> {
    const versions = await this.versions.list(projectId, { host: null, after: null, limit: MAX_VERSIONS });
    const signalsByDigest = new Map<string, Signals>();
    const result: VersionWithSignals[] = [];
    let length = 0;
    for (const version of versions) {
      const { id, digest, served_from: start, served_until: end } = version;
      if (Date.parse(start) >= to || (end !== null && Date.parse(end) <= from)) continue;
      const signals = signalsByDigest.get(digest ?? '') ?? (await this.readSignals(projectId, id));
      signalsByDigest.set(digest ?? '', signals);
      length += JSON.stringify(signals).length;
      if (length > MAX_SIGNALS_LENGTH) throw tooLongError();
      result.push({ version, ...signals });
    }
    return result;
  }

  /** Returns a lookup of the texts of lines. A text is null if its version was deleted. */
  async findLines(projectId: string, lines: readonly { version: string; line: number }[]) {
    const texts = await this.lines.find(projectId, lines);
    const byLine = new Map(lines.map(({ version, line }, index) => [`${version} ${line}`, texts[index]!]));
    return (version: string, line: number): string | null => byLine.get(`${version} ${line}`) ?? null;
  }

  private async readSignals(projectId: string, versionId: string): Promise<Signals> {
    const text = (await this.versions.find(projectId, versionId))?.text ?? null;
    const signals = text === null ? [] : parseRobotsSignals(Buffer.from(text), Infinity);
    const select = (...kinds: string[]) => signals.filter(({ kind }) => kinds.includes(kind));
    return {
      licenses: select('license').map(({ line, url, text, userAgents }) => ({
        line,
        url,
        text,
        user_agents: userAgents,
      })),
      preferences: select('content-signal', 'content-usage').map(({ line, text, userAgents }) => ({
        line,
        text,
        user_agents: userAgents,
      })),
    };
  }
}

const tooLongError = (): Error =>
  invalidQueryError([
    {
      pointer: '/from',
      detail: `starts a range in which robots.txt has too many License, Content-Signal and Content-Usage lines. Choose a shorter range`,
    },
  ]);
