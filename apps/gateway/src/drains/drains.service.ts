import type { IncomingHttpHeaders } from 'node:http';
import { setImmediate } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import { MAX_UNREADABLE_LINES, createBatchId, getTimeFromId, type DrainReceipt } from '#libs/contracts';
import { drainSecretPurpose, type SecretBox } from '#libs/database';
import type { DrainSender } from '#libs/drains';
import { unavailable, WorkSlices, type Admission } from '#libs/platform';
import { Counter } from 'prom-client';
import type { ProjectAccess } from '../access/access.repository.js';
import { AdmissionService } from '../admission/admission.service.js';
import { addMcpFields } from '../visits/mcp-headers.js';
import { repeatableVisits, type RepeatableVisit } from '../visits/received-visits.js';
import { Redactors, type Redactor } from '../visits/redaction.js';
import { GATEWAY_SECRETS } from '../gateway-settings.js';
import { SafePublisher } from '../visits/safe-publisher.service.js';
import { isSigning, requireBodySignature } from './body-signature.js';
import { drainItems, type DrainItem } from './drain-body.js';
import { toChunks, type Chunk } from './drain-chunks.js';
import { DrainStatusService, type UnreadableLine } from './drain-status.service.js';
import { LineIds } from './line-ids.js';
import { LineSorter } from './line-sorter.js';
import { drainFormat } from './drain-formats.js';

/** Maximum length of a displayed line and of the reason why it's unreadable. */
const MAX_DISPLAYED_CHARACTERS = 300;
/** Number of characters to redact before a line is truncated for display. */
const MAX_REDACTED_CHARACTERS = 8_192;

const lineCounter = new Counter({
  name: 'agent_traffic_gateway_drain_lines_total',
  help: 'Log lines received by drains',
  labelNames: ['source', 'outcome'],
});

interface DrainRequest {
  project: ProjectAccess;
  sender: DrainSender;
  /** Raw request body, possibly compressed. */
  body: Buffer;
  headers: IncomingHttpHeaders;
  traceparent: string;
  admission: Admission;
}

interface Unreadable {
  item: DrainItem;
  reason: string;
}

@Injectable()
export class DrainsService {
  constructor(
    private readonly publisher: SafePublisher,
    private readonly redactors: Redactors,
    private readonly admission: AdmissionService,
    private readonly status: DrainStatusService,
    @Inject(GATEWAY_SECRETS) private readonly secrets: SecretBox | null,
  ) {}

  /**
   * Records the visits in a body and resolves once all of them are safely stored. If it fails, the first chunks may
   * already be stored. Resending the same body doesn't duplicate them.
   *
   * @throws {ProblemError} 400, 413, 415 or 422 if the body is rejected, 403 if its signature is wrong, or 503 if the
   * visits couldn't be stored safely.
   */
  async record(drain: DrainRequest): Promise<DrainReceipt> {
    const { project, sender, body, headers } = drain;
    this.requireSignature(drain);
    const sorter = new LineSorter(sender, project.drains);
    const unreadable: Unreadable[] = [];
    const items = drainItems(body, drainFormat(sender, headers));
    let admission: Admission | null = drain.admission;
    for await (const chunk of toChunks(items)) {
      admission ??= await this.admission.waitForCapacity(chunk.bytes, project.projectId);
      await this.admission.run(admission, chunk.bytes, () => this.recordChunk(drain, chunk, sorter, unreadable));
      admission = null;
      // Processing a chunk without visits doesn't involve any I/O, so pause here to let other requests run.
      await setImmediate();
    }
    const { receipt } = sorter;
    for (const outcome of ['visits', 'static_files', 'left_out', 'unreadable'] as const) {
      lineCounter.inc({ source: sender.name, outcome }, receipt[outcome]);
    }
    const redactor = this.getRedactor(project);
    this.status.add(
      project.projectId,
      sender.name,
      receipt,
      unreadable.map((line) => toDisplayedLine(line, redactor)),
    );
    return receipt;
  }

  private async recordChunk(
    { project, sender, traceparent }: DrainRequest,
    chunk: Chunk,
    sorter: LineSorter,
    unreadable: Unreadable[],
  ): Promise<void> {
    const { projectId } = project;
    const batch = { batchId: createBatchId(), projectId, traceparent };
    const ids = new LineIds(projectId, sender.name, getTimeFromId(batch.batchId));
    const redaction = this.getRedactor(project).start();
    const visits: RepeatableVisit[] = [];
    const slices = new WorkSlices();
    for (const [index, item] of chunk.items.entries()) {
      if (slices.isSliceOver) await slices.yieldToEventLoop();
      for (const [position, sorted] of sorter.sort(item).entries()) {
        if (sorted.kind === 'visit') {
          addMcpFields(sorted.visit);
          redaction.redactVisit(sorted.visit);
          const { visit, line, bytes } = sorted;
          visits.push({ index: visits.length, visit, id: ids.create(line, chunk, index, position), bytes });
        } else if (sorted.kind === 'unreadable') {
          unreadable.push({ item, reason: sorted.reason });
          if (unreadable.length > MAX_UNREADABLE_LINES) unreadable.shift();
        }
      }
    }
    await this.publisher.publish(repeatableVisits(batch, visits));
  }

  private getRedactor({ redactedHeaders: redacted, unredactedHeaders: exempt }: ProjectAccess): Redactor {
    return this.redactors.for({ redacted, exempt });
  }

  private requireSignature({ project, sender, body, headers }: DrainRequest): void {
    if (!isSigning(sender)) return;
    const encryptedSecret = project.drains[sender.signature.secret];
    if (encryptedSecret === null) return;
    let secret: string;
    try {
      if (this.secrets === null) throw new Error('set SECRET_KEY on the gateway to verify drain signatures');
      secret = this.secrets.open(Buffer.from(encryptedSecret, 'base64'), drainSecretPurpose(project.projectId));
    } catch (error) {
      throw unavailable('The signature cannot be verified because this instance cannot decrypt the secret.', error, 60);
    }
    requireBodySignature(sender, headers, body, secret);
  }
}

/**
 * Redacts and truncates an unreadable line for display. Replaces NUL characters and lone surrogates, which PostgreSQL
 * can't store.
 */
function toDisplayedLine({ item, reason }: Unreadable, redactor: Redactor): UnreadableLine {
  const cut = (long: string): string =>
    long.slice(0, MAX_DISPLAYED_CHARACTERS).toWellFormed().replaceAll('\0', '\u{fffd}');
  const text = redactor.text(toText(item, redactor).slice(0, MAX_REDACTED_CHARACTERS));
  return { received_at: new Date().toISOString(), reason: cut(redactor.text(reason)), text: cut(text) };
}

function toText(item: DrainItem, redactor: Redactor): string {
  if (typeof item === 'string') return Buffer.from(item, 'latin1').toString('utf8');
  const record = item.entry();
  return record === null ? item.preview() : JSON.stringify(redactor.start().redact(record));
}
