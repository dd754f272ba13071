import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { Inject, Injectable } from '@nestjs/common';
import { getSiteHosts } from '#libs/contracts';
import { signStatement, type SigningKey } from '#libs/statements';
import type { TimeRange } from '#libs/visit-store';
import type { Principal } from '../access/principal.js';
import type { StoredProject } from '../projects/projects.repository.js';
import { PUBLIC_URL } from '../public-url.js';
import { ExportLimiter } from '../visits/stream-limits.js';
import { withIdleTimeout } from '../visits/visit-export.service.js';
import { OperatorFetchesService, type Operator } from './operator-fetches.service.js';
import { RobotsHistoryService } from './robots-history.service.js';
import { buildStatement, toDay } from './statement-builder.js';
import { renderHtmlRest, renderHtmlStart } from './statement-html.js';
import { StatementKeysRepository } from './statement-keys.repository.js';
import { renderNdjsonRest, renderNdjsonStart } from './statement-ndjson.js';
import type { Statement, StatementScope } from './statement.js';

const DAY_MS = 86_400_000;
const CHUNK_BYTES = 64 * 1_024;
/** Maximum time to read the fetches. Clients that don't read for this long are disconnected. */
const TIMEOUT_MS = 60_000;

interface StatementRequest {
  operator: string;
  /** UTC days. */
  range: TimeRange;
  format: 'html' | 'ndjson';
  includesAddresses: boolean;
}

/** Creates signed statements of an operator's fetches. */
@Injectable()
export class StatementsService {
  constructor(
    private readonly fetches: OperatorFetchesService,
    private readonly robots: RobotsHistoryService,
    private readonly keys: StatementKeysRepository,
    private readonly limits: ExportLimiter,
    @Inject(PUBLIC_URL) private readonly publicUrl: string,
  ) {}

  /**
   * Opens a stream of the statement. A later error, or a client that stops reading, destroys the stream, so the file has
   * no signature.
   *
   * @throws {ProblemError} 422 if the operator is unknown or has too many fetches in the range.
   * @throws {ProblemError} 429 if too many exports are running.
   * @throws {Error} if the signing key can't be decrypted.
   */
  async open(principal: Principal, project: StoredProject, request: StatementRequest): Promise<Readable> {
    const release = this.limits.acquire(principal);
    try {
      const operator = await this.fetches.findOperator(project.id, request.operator, request.range);
      const key = await this.keys.getSigningKey();
      const closed = new AbortController();
      const file = this.write(project, operator, key, request, closed.signal);
      return withIdleTimeout(TIMEOUT_MS, file).once('close', () => {
        closed.abort();
        release();
      });
    } catch (error) {
      release();
      throw error;
    }
  }

  /** Sends the start of the file at once, because reading all fetches can take longer than clients wait for a response. */
  private async *write(
    project: StoredProject,
    operator: Operator,
    key: SigningKey,
    request: StatementRequest,
    signal: AbortSignal,
  ): AsyncGenerator<Buffer, void> {
    const scope = createScope(project, operator.name, request, this.publicUrl);
    const [ndjsonStart, htmlStart] = [renderNdjsonStart(scope), renderHtmlStart(scope)];
    const start = Buffer.from(request.format === 'html' ? htmlStart : ndjsonStart);
    yield start;
    const statement = await this.read(project.id, scope, operator, request, signal);
    const sign = (text: string): Buffer => {
      const body = Buffer.from(text);
      return Buffer.concat([body, Buffer.from(signStatement(body, key))]);
    };
    const data = sign(ndjsonStart + renderNdjsonRest(statement));
    const hash = createHash('sha256').update(data).digest('hex');
    const file = request.format === 'html' ? sign(htmlStart + renderHtmlRest(statement, hash)) : data;
    for (let offset = start.length; offset < file.length; offset += CHUNK_BYTES) {
      yield file.subarray(offset, offset + CHUNK_BYTES);
    }
  }

  private async read(
    projectId: string,
    scope: StatementScope,
    operator: Operator,
    { range, includesAddresses }: StatementRequest,
    signal: AbortSignal,
  ): Promise<Statement> {
    const counter = await this.fetches.count(projectId, operator, range, { includesAddresses, signal });
    const versions = await this.robots.list(projectId, range);
    const getLineText = await this.robots.findLines(projectId, [...counter.lines.values()]);
    return buildStatement({ scope, counter, counted: operator.counted, versions, getLineText });
  }
}

function createScope(
  project: StoredProject,
  operator: string,
  { range: { from, to }, includesAddresses }: StatementRequest,
  publicUrl: string,
): StatementScope {
  const { id, name } = project;
  const [first, end] = [toDay(from), toDay(to)];
  const query = new URLSearchParams({ format: 'ndjson', from: first, to: end, operator });
  return {
    operator,
    project: { id, name, hosts: getSiteHosts(project) },
    first_day: first,
    last_day: toDay(to - DAY_MS),
    includes_addresses: includesAddresses,
    instance: publicUrl,
    request: `/api/projects/${id}/visits/export?${query.toString()}`,
  };
}
