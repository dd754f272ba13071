import { hash } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { RateLimiter, type BucketKind } from '#libs/cache';
import type { Operation } from '#libs/contracts';
import { LOGGER, networksOf, type Logger, type ProblemError } from '#libs/platform';
import type { FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { DataSource } from 'typeorm';
import { actorOf } from '../access/actor.js';

const HOUR_MS = 3_600_000;
/** Maximum number of combinations of account, network and operation that are counted. */
const MAX_COUNTED = 10_000;
/** Returns whether to record an attempt: the first, tenth, hundredth and so on in an hour. */
const isRecorded = (attempts: number): boolean => Number.isInteger(Math.log10(attempts));
/** Limit for the instance, so strangers can't flood the log. */
const ENTRIES: BucketKind = { name: 'audited-rejections', failsOpen: false };
const ENTRY_LIMIT = { burst: 500, perSecond: 500 / 3_600 };

/** Operations that accept a password, a code or a passkey. */
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

/** Records rejected passwords, codes and passkeys in the audit log, at most a few per account, network and hour. */
@Injectable()
export class RejectionsRepository {
  private readonly attempts = new LRUCache<string, number>({ max: MAX_COUNTED, ttl: HOUR_MS });

  constructor(
    private readonly dataSource: DataSource,
    private readonly limiter: RateLimiter,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Records a failed request in the background, if a password, code or passkey was rejected. */
  refused(request: FastifyRequest, operation: Operation, problem: ProblemError): void {
    if (!OPERATIONS.has(operation.id) || !isRejection(problem)) return;
    this.record(request, operation, problem).catch((error: unknown) =>
      this.logger.warn({ err: error }, 'a rejected sign-in could not be recorded in the audit log'),
    );
  }

  private async record(request: FastifyRequest, operation: Operation, problem: ProblemError): Promise<void> {
    const principal = request.principal ?? request.visitor ?? null;
    const { email: given } = (request.body ?? {}) as { email?: unknown };
    const email = principal?.user?.email ?? (typeof given === 'string' ? given.trim().toLowerCase() : '');
    const key = `${hash('sha256', email)} ${networksOf(request.clientAddress)[0]} ${operation.id}`;
    const attempts = (this.attempts.get(key) ?? 0) + 1;
    this.attempts.set(key, attempts, { noUpdateTTL: true });
    if (!isRecorded(attempts) || !(await this.limiter.take(ENTRIES, 'all', 1, ENTRY_LIMIT)).allowed) return;
    // The email field may contain a mistyped password, so record it only if it is the address of an account.
    await this.dataSource.query(
      `SELECT audit_record($1::jsonb, 'done', 'login', u.id::text, u.email, NULL, NULL, $3::jsonb)
       FROM (SELECT $2 AS given) AS g LEFT JOIN users u ON lower(u.email) = g.given`,
      [
        actorOf(request, principal, operation),
        email,
        { outcome: 'rejected', reason: problem.message, attempts_in_an_hour: attempts },
      ],
    );
  }
}

const isRejection = ({ type, rejected }: ProblemError): boolean => type === 'unauthorized' || rejected !== undefined;
