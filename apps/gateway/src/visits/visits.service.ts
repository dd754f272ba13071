import { Injectable } from '@nestjs/common';
import type { DeadLetter, ReceivedVisits } from '#libs/bus';
import { newBatchId, timeOfId, VISITS_JSON_LIMITS } from '#libs/contracts';
import { parseJson, ProblemError, unavailable, WorkSlices } from '#libs/platform';
import { StoredVisitsRepository } from '#libs/visit-store';
import { Counter, Histogram } from 'prom-client';
import type { ProjectAccess } from '../access/access.repository.js';
import { IdempotencyRepository } from './idempotency.repository.js';
import { ImportedLines, type Import } from './imported-lines.js';
import { ImportsRepository } from './imports.repository.js';
import { boundedItem, receivedVisits, rejectedItem, type Batch } from './received-visits.js';
import { Redactors } from './redaction.js';
import { SafePublisher } from './safe-publisher.service.js';
import { noValidVisit, sortItems, type RefusedItem } from './validation.js';

const items = new Counter({
  name: 'agent_traffic_gateway_visits_total',
  help: 'Items of POST /visits',
  labelNames: ['outcome'],
});
const visitsInRequest = new Histogram({
  name: 'agent_traffic_gateway_request_visits',
  help: 'Visits in a request of POST /visits',
  buckets: [1, 10, 50, 200, 1_000, 5_000],
});

export interface Posted {
  project: ProjectAccess;
  /** Decoded body. */
  bytes: Buffer;
  idempotencyKey: string | null;
  /** Set by log importers. Their visits are identified by their lines instead of the key. */
  imported: Import | null;
  traceparent: string;
}

interface Recorded {
  accepted: number;
  refused: number;
  /** True if the request was recorded before. */
  isReplayed: boolean;
  /** Number of an import's visits that were already stored. */
  repeated: number;
}

interface ReadBody extends Omit<Identity, 'ids' | 'isStored'> {
  received: ReceivedVisits[];
  deadLetters: DeadLetter[];
  accepted: number;
  refused: RefusedItem[];
}

interface Identity {
  batchId: string;
  isReplayed: boolean;
  /** IDs of an import's visits. */
  ids?: string[];
  /** Hash of all lines of an import. Null if there's nothing to remember. */
  importKey: Buffer | null;
  /** Number of an import's visits that were already stored. */
  repeated: number;
  /** True if all visits of an import are already stored. */
  isStored: boolean;
}

const OF_NO_IMPORT = { importKey: null, repeated: 0, isStored: false };

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
   * Resolves when the valid visits are safe and the rejected items are dead letters.
   *
   * @throws ProblemError 4xx if the request is invalid, 503 if the visits aren't safe.
   */
  async record(posted: Posted): Promise<Recorded> {
    const { received, deadLetters, accepted, refused, isReplayed, repeated, importKey } = await this.read(posted);
    if (received.length > 0 || deadLetters.length > 0) {
      await this.publisher.publish(received, deadLetters);
      visitsInRequest.observe(accepted);
      items.inc({ outcome: 'accepted' }, accepted);
      items.inc({ outcome: 'refused' }, refused.length);
      if (accepted === 0) throw noValidVisit(refused);
    }
    if (importKey !== null) await this.imports.remember(posted.project.projectId, importKey, posted.imported!.id);
    return { accepted, refused: refused.length, isReplayed, repeated };
  }

  /** Parses, validates, redacts and identifies the visits of a body. */
  private async read({ project, bytes, idempotencyKey, imported, traceparent }: Posted): Promise<ReadBody> {
    const { projectId } = project;
    const body = parseJson(bytes.toString('utf8'), VISITS_JSON_LIMITS);
    const fresh = newBatchId();
    const nothing = { received: [], deadLetters: [] };
    if (Array.isArray(body) && body.length === 0)
      return { ...OF_NO_IMPORT, ...nothing, accepted: 0, refused: [], batchId: fresh, isReplayed: false };
    const slices = new WorkSlices();
    const { valid, refused } = sortItems(body, bytes.length);

    const redaction = this.redactors
      .for({ redacted: project.redactedHeaders, exempt: project.unredactedHeaders })
      .start();
    const lines = imported && new ImportedLines(projectId, timeOfId(fresh), imported);
    for (const { index, visit } of valid) {
      if (slices.isOver) await slices.next();
      lines?.add(index, visit);
      redaction.redactVisit(visit);
    }
    for (const each of refused) {
      if (slices.isOver) await slices.next();
      each.item = redaction.redact(boundedItem(each.item));
    }

    const identity =
      lines === null
        ? await this.batchId(projectId, bytes, idempotencyKey, fresh)
        : await this.identify(projectId, lines, fresh, refused.length === 0);
    const read = { ...identity, accepted: valid.length, refused };
    if (identity.isStored) return { ...read, ...nothing };
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
   * Identifies the visits of an import by their lines.
   *
   * @param isComplete True if the lines are all items of the request, so the entire request can be remembered.
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
        // If it was the same import, the importer is retrying a request that got no response.
        const repeated = recordedBy === lines.importId ? 0 : lines.count;
        return { batchId, isReplayed: true, importKey: null, repeated, isStored: true };
      }
      const days = await this.imports.days(projectId, lines, timeOfId(batchId));
      const ids = lines.ids(days);
      const repeated = await this.visits.countStored(lines.doubtful(ids, days));
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

  private async batchId(projectId: string, body: Buffer, key: string | null, fresh: string): Promise<Identity> {
    if (key === null) return { ...OF_NO_IMPORT, batchId: fresh, isReplayed: false };
    let first: string | null;
    try {
      first = await this.idempotency.claim(projectId, key, body, fresh);
    } catch (error) {
      throw unavailable('The idempotency key cannot be checked right now. Resend the visits.', error, 2);
    }
    if (first !== null) return { ...OF_NO_IMPORT, batchId: first, isReplayed: first !== fresh };
    throw new ProblemError(
      'idempotency-key-reused',
      'The Idempotency-Key was used for another body. Use a new key for a new body.',
    );
  }
}
