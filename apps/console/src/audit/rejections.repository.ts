import { hash } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { RateLimiter, type BucketKind } from '#libs/cache';
import type { Operation } from '#libs/contracts';
import { LOGGER, getAddressNetworks, type Logger, type ProblemError } from '#libs/platform';
import type { FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { DataSource } from 'typeorm';
import { toActor } from '../access/actor.js';

const HOUR_MS = 3_600_000;
/** Maximum number of attempt counters. There is one per account, network and operation. */
const MAX_COUNTERS = 10_000;
/** Returns true for the 1st, 10th, 100th, … attempt. Limits the entries per counter and hour. */
const isRecorded = (attempts: number): boolean => Number.isInteger(Math.log10(attempts));
/** Limit for the entire instance, so attackers can't flood the audit log. */
const ENTRY_BUCKET: BucketKind = { name: 'audited-rejections', failsOpen: false };
const ENTRY_LIMIT = { burst: 500, perSecond: 500 / 3_600 };

/** Operations that check a password, a code or a passkey. */
const OPERATIONS: ReadonlySet<string> = new Set([
  'signIn',
  'finishSignIn',
  'signInWithPasskey',
  'confirmSession',
  'changePassword',
  'changeOwnAccount',
  'activateSecondFactor',
  'setUp',
  'openSharedLink',
]);

/**
 * Records rejected passwords, codes and passkeys in the audit log. Repeated attempts only add a few entries per hour.
 */
@Injectable()
export class RejectionsRepository {
  private readonly attempts = new LRUCache<string, number>({ max: MAX_COUNTERS, ttl: HOUR_MS });

  constructor(
    private readonly dataSource: DataSource,
    private readonly limiter: RateLimiter,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Records a failed request in the background if its password, code or passkey was rejected. */
  recordRejection(request: FastifyRequest, operation: Operation, problem: ProblemError): void {
    if (!OPERATIONS.has(operation.id) || !isRejection(problem)) return;
    this.record(request, operation, problem).catch((error: unknown) =>
      this.logger.warn({ err: error }, 'failed to record a rejected sign-in in the audit log'),
    );
  }

  private async record(request: FastifyRequest, operation: Operation, problem: ProblemError): Promise<void> {
    const principal = request.principal ?? request.visitor ?? null;
    const { email: typedEmail } = (request.body ?? {}) as { email?: unknown };
    const email = principal?.user?.email ?? (typeof typedEmail === 'string' ? typedEmail.trim().toLowerCase() : '');
    const key = `${hash('sha256', email)} ${getAddressNetworks(request.clientAddress)[0]} ${operation.id}`;
    const attempts = (this.attempts.get(key) ?? 0) + 1;
    this.attempts.set(key, attempts, { noUpdateTTL: true });
    if (!isRecorded(attempts) || !(await this.limiter.take(ENTRY_BUCKET, 'all', 1, ENTRY_LIMIT)).allowed) return;
    // Users may type a password into the email field, so only record the address of an existing account.
    await this.dataSource.query(
      `SELECT audit_record($1::jsonb, 'done', 'login', u.id::text, u.email, NULL, NULL, $3::jsonb)
       FROM (SELECT $2 AS given) AS g LEFT JOIN users u ON lower(u.email) = g.given`,
      [
        toActor(request, principal, operation),
        email,
        { outcome: 'rejected', reason: problem.message, attempts_in_an_hour: attempts },
      ],
    );
  }
}

const isRejection = ({ type, rejected }: ProblemError): boolean => type === 'unauthorized' || rejected !== undefined;
