import { Injectable } from '@nestjs/common';
import type { BusMessage } from '#libs/bus';
import { newBatchId, VISITS_JSON_LIMITS } from '#libs/contracts';
import { parseJson, ProblemError, unavailable, WorkSlices } from '#libs/platform';
import { Counter, Histogram } from 'prom-client';
import type { ProjectAccess } from '../access/access.repository.js';
import { IdempotencyRepository } from './idempotency.repository.js';
import {
  boundedItem,
  MAX_MESSAGE_BYTES,
  readMessage,
  refusedMessage,
  remadeMessages,
  type Batch,
} from './received-message.js';
import { Redactors } from './redaction.js';
import { SafePublisher } from './safe-publisher.service.js';
import { noValidVisit, sortItems, type RefusedItem } from './validation.js';

const items = new Counter({
  name: 'agent_traffic_gateway_visits_total',
  help: 'Items of POST /visits; outcome: accepted or refused',
  labelNames: ['outcome'],
});
const visitsInRequest = new Histogram({
  name: 'agent_traffic_gateway_request_visits',
  help: 'Visits in a request of POST /visits',
  buckets: [1, 10, 50, 200, 1_000, 5_000],
});

export interface Posted {
  project: ProjectAccess;
  /** The body, decoded. */
  bytes: Buffer;
  idempotencyKey: string | null;
  traceparent: string;
}

export interface Recorded {
  accepted: number;
  refused: number;
  /** Whether the key was used before, with the same body. */
  isReplayed: boolean;
}

interface ReadBody {
  messages: BusMessage[];
  accepted: number;
  refused: RefusedItem[];
  isReplayed: boolean;
}

/** Makes posted visits safe. */
@Injectable()
export class VisitsService {
  constructor(
    private readonly publisher: SafePublisher,
    private readonly idempotency: IdempotencyRepository,
    private readonly redactors: Redactors,
  ) {}

  /**
   * Resolves once the valid visits are safe and the refused items are in the dead letters.
   *
   * @throws ProblemError 400 or 422 for what the client sent, 503 when the visits are not safe.
   */
  async record(posted: Posted): Promise<Recorded> {
    // A function that waits holds all that it has read, so the visits are read in another: thousands may be under way.
    const { messages, accepted, refused, isReplayed } = await this.read(posted);
    if (messages.length === 0) return { accepted: 0, refused: 0, isReplayed: false };
    await this.publisher.publish(messages);

    visitsInRequest.observe(accepted);
    items.inc({ outcome: 'accepted' }, accepted);
    items.inc({ outcome: 'refused' }, refused.length);
    if (accepted === 0) throw noValidVisit(refused);
    return { accepted, refused: refused.length, isReplayed };
  }

  /** Makes messages of a body: none of an empty array. */
  private async read({ project, bytes, idempotencyKey, traceparent }: Posted): Promise<ReadBody> {
    const text = bytes.toString('utf8');
    const body = parseJson(text, VISITS_JSON_LIMITS);
    if (Array.isArray(body) && body.length === 0) return { messages: [], accepted: 0, refused: [], isReplayed: false };
    const slices = new WorkSlices();
    const { valid, refused } = sortItems(body, bytes.length);

    const redaction = this.redactors
      .for({ redacted: project.redactedHeaders, exempt: project.unredactedHeaders })
      .start();
    for (const { visit } of valid) {
      if (slices.isOver) await slices.next();
      redaction.redactVisit(visit);
    }
    for (const each of refused) {
      if (slices.isOver) await slices.next();
      each.item = redaction.redact(boundedItem(each.item));
    }

    const { id, isReplayed } = await this.batchId(project.projectId, bytes, idempotencyKey);
    const batch: Batch = { id, projectId: project.projectId, traceparent };
    const canPass = refused.length === 0 && bytes.length <= MAX_MESSAGE_BYTES && redaction.mayPass(text);
    const messages = canPass ? [readMessage(batch, bytes, body)] : remadeMessages(batch, valid);
    messages.push(...refused.map((item) => refusedMessage(batch, item)));
    return { messages, accepted: valid.length, refused, isReplayed };
  }

  private async batchId(
    projectId: string,
    body: Buffer,
    key: string | null,
  ): Promise<{ id: string; isReplayed: boolean }> {
    const fresh = newBatchId();
    if (key === null) return { id: fresh, isReplayed: false };
    let first: string | null;
    try {
      first = await this.idempotency.claim(projectId, key, body, fresh);
    } catch (error) {
      throw unavailable('The idempotency key cannot be checked right now. Resend the visits.', error, 2);
    }
    if (first !== null) return { id: first, isReplayed: first !== fresh };
    throw new ProblemError(
      'idempotency-key-reused',
      'The Idempotency-Key was used for another body. Use a new key for a new body.',
    );
  }
}
