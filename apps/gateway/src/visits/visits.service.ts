import { Injectable } from '@nestjs/common';
import type { DeadLetter, ReceivedVisits } from '#libs/bus';
import { createBatchId, getTimeFromId, VISITS_JSON_LIMITS } from '#libs/contracts';
import { parseJson, ProblemError, unavailable, WorkSlices } from '#libs/platform';
import { StoredVisitsRepository } from '#libs/visit-store';
import { Counter, Histogram } from 'prom-client';
import type { ProjectAccess } from '../access/access.repository.js';
import { IdempotencyRepository } from './idempotency.repository.js';
import { ImportedLines, type Import } from './imported-lines.js';
import { ImportsRepository } from './imports.repository.js';
import { addMcpFields } from './mcp-headers.js';
import { boundedItem, receivedVisits, rejectedItem, type Batch } from './received-visits.js';
import { Redactors } from './redaction.js';
import { SafePublisher } from './safe-publisher.service.js';
import { noValidVisit, sortItems, type RejectedItem } from './validation.js';

const items = new Counter({
  name: 'agent_traffic_gateway_visits_total',
  help: 'Items received by POST /visits, by outcome',
  labelNames: ['outcome'],
});
const visitsInRequest = new Histogram({
  name: 'agent_traffic_gateway_request_visits',
  help: 'Number of valid visits per POST /visits request',
  buckets: [1, 10, 50, 200, 1_000, 5_000],
});

export interface VisitsRequest {
  project: ProjectAccess;
  /** Decoded body. */
  bytes: Buffer;
  idempotencyKey: string | null;
  /** Set for log imports. Their visits are identified by their log lines instead of the idempotency key. */
  imported: Import | null;
  traceparent: string;
}

interface Recorded {
  accepted: number;
  refused: number;
  /** True if the same request has been recorded before. */
  isReplayed: boolean;
  /** Number of imported visits that were already stored. */
  repeated: number;
}

interface ParsedBody extends Omit<Identity, 'ids' | 'isStored'> {
  received: ReceivedVisits[];
  deadLetters: DeadLetter[];
  accepted: number;
  refused: RejectedItem[];
}

interface Identity {
  batchId: string;
  isReplayed: boolean;
  /** Visit IDs. Only set for imports. */
  ids?: string[];
  /**
   * Hash of all lines in an import request, which identifies the request if it's repeated. Null if the request must not
   * be recorded under its hash.
   */
  importKey: Buffer | null;
  repeated: number;
  isStored: boolean;
}

const WITHOUT_IMPORT = { importKey: null, repeated: 0, isStored: false };

@Injectable()
export class VisitsService {
  constructor(
    private readonly publisher: SafePublisher,
    private readonly idempotency: IdempotencyRepository,
    private readonly imports: ImportsRepository,
    private readonly visits: StoredVisitsRepository,
    private readonly redactors: Redactors,
  ) {}

  /**
   * Records a request's valid visits and dead-letters its invalid items. Resolves once all of them are safely stored.
   *
   * @throws {ProblemError} 4xx if the request is invalid, or 503 if the visits couldn't be stored.
   */
  async record(posted: VisitsRequest): Promise<Recorded> {
    const { received, deadLetters, accepted, refused, isReplayed, repeated, importKey } = await this.read(posted);
    if (received.length > 0 || deadLetters.length > 0) {
      await this.publisher.publish(received, deadLetters);
      visitsInRequest.observe(accepted);
      items.inc({ outcome: 'accepted' }, accepted);
      items.inc({ outcome: 'refused' }, refused.length);
      if (accepted === 0) throw noValidVisit(refused);
    }
    if (importKey !== null) await this.imports.storeRecorded(posted.project.projectId, importKey, posted.imported!.id);
    return { accepted, refused: refused.length, isReplayed, repeated };
  }

  /** Parses, validates and redacts the visits in a body, and assigns IDs. */
  private async read({ project, bytes, idempotencyKey, imported, traceparent }: VisitsRequest): Promise<ParsedBody> {
    const { projectId } = project;
    const body = parseJson(bytes.toString('utf8'), VISITS_JSON_LIMITS);
    const newId = createBatchId();
    const noMessages = { received: [], deadLetters: [] };
    if (Array.isArray(body) && body.length === 0)
      return { ...WITHOUT_IMPORT, ...noMessages, accepted: 0, refused: [], batchId: newId, isReplayed: false };
    const slices = new WorkSlices();
    const { valid, refused } = sortItems(body, bytes.length);

    const redaction = this.redactors
      .for({ redacted: project.redactedHeaders, exempt: project.unredactedHeaders })
      .start();
    const lines = imported && new ImportedLines(projectId, getTimeFromId(newId), imported);
    for (const item of valid) {
      const { index, visit } = item;
      if (slices.isSliceOver) await slices.yieldToEventLoop();
      const bytes = lines?.add(index, visit);
      const isExtended = addMcpFields(visit);
      const isRedacted = redaction.redactVisit(visit);
      if (!isExtended && !isRedacted) item.bytes = bytes;
    }
    for (const each of refused) {
      if (slices.isSliceOver) await slices.yieldToEventLoop();
      each.item = redaction.redact(boundedItem(each.item));
    }

    const identity =
      lines === null
        ? await this.batchId(projectId, bytes, idempotencyKey, newId)
        : await this.identify(projectId, lines, newId, refused.length === 0);
    const read = { ...identity, accepted: valid.length, refused };
    if (identity.isStored) return { ...read, ...noMessages };
    const { batchId, ids = null } = identity;
    const batch: Batch = { batchId, projectId, traceparent };
    const received = receivedVisits(batch, valid, {
      bytes: bytes.length,
      isSingle: !Array.isArray(body),
      isUnchanged: refused.length === 0 && !redaction.isChanged,
      visitIds: ids,
    });
    return { ...read, received, deadLetters: refused.map((item) => rejectedItem(batch, item)) };
  }

  /**
   * Identifies imported visits by their log lines.
   *
   * @param isComplete True if no items were rejected. Only then, the request as a whole is recorded, so that it's
   * recognized when it's sent again.
   */
  private async identify(
    projectId: string,
    lines: ImportedLines,
    batchId: string,
    isComplete: boolean,
  ): Promise<Identity> {
    try {
      const key = isComplete ? lines.key : null;
      const recordedBy = key && (await this.imports.recordedBy(projectId, key));
      if (recordedBy !== null) {
        // If the same import has already recorded this request, the importer is only sending it again because it didn't
        // get a response. In that case, the lines don't count as repeated.
        const repeated = recordedBy === lines.importId ? 0 : lines.count;
        return { batchId, isReplayed: true, importKey: null, repeated, isStored: true };
      }
      const days = await this.imports.days(projectId, lines, getTimeFromId(batchId));
      const ids = lines.ids(days);
      const repeated = await this.visits.countStored(lines.possibleDuplicates(ids, days));
      return {
        batchId,
        isReplayed: false,
        ids,
        importKey: key,
        repeated,
        isStored: isComplete && repeated === lines.count,
      };
    } catch (error) {
      throw unavailable('The lines of the import cannot be looked up right now. Resend the visits.', error, 2);
    }
  }

  private async batchId(projectId: string, body: Buffer, key: string | null, newId: string): Promise<Identity> {
    if (key === null) return { ...WITHOUT_IMPORT, batchId: newId, isReplayed: false };
    let first: string | null;
    try {
      first = await this.idempotency.claim(projectId, key, body, newId);
    } catch (error) {
      throw unavailable('The idempotency key cannot be checked right now. Resend the visits.', error, 2);
    }
    if (first !== null) return { ...WITHOUT_IMPORT, batchId: first, isReplayed: first !== newId };
    throw new ProblemError(
      'idempotency-key-reused',
      'The Idempotency-Key was used for another body. Use a new key for a new body.',
    );
  }
}
