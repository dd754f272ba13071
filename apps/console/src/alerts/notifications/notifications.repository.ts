import { Injectable } from '@nestjs/common';
import {
  MAX_NOTIFICATIONS,
  MAX_UNREAD_NOTIFICATIONS,
  NOTIFICATION_DAYS,
  UNREAD_NOTIFICATION_DAYS,
} from '#libs/contracts';
import { DataSource } from 'typeorm';
import { EVENT_COLUMNS, type AlertChangeEvent } from '../evaluation.repository.js';

export interface NotifiedEvent extends AlertChangeEvent {
  project_name: string;
  is_read: boolean;
}

/** Events since $2 in user $1's projects, except of deleted alerts. These are the events in the projects' alert history. */
const NOTIFIED_EVENTS = `
  FROM users u
    JOIN projects p ON u.is_admin
      OR EXISTS (SELECT FROM project_members m WHERE (m.project_id, m.user_id) = (p.id, u.id))
    LEFT JOIN project_members m ON (m.project_id, m.user_id) = (p.id, u.id)
    JOIN alert_events e ON e.project_id = p.id AND e.fired_at >= $2::timestamptz
    JOIN alerts a ON a.id = e.alert_id AND a.deleted_at IS NULL
    LEFT JOIN alert_event_reads r ON (r.user_id, r.event_id) = (u.id, e.id)
  WHERE u.id = $1`;
/**
 * These events count as read: events of muted alerts, events from before the user got access, and recovered ones after
 * {@link UNREAD_NOTIFICATION_DAYS}. The demo project's events are all older than the project.
 */
const IS_UNREAD = `(r.event_id IS NULL AND e.is_told
  AND (p.is_demo OR e.fired_at >= greatest(u.created_at, m.created_at))
  AND (e.recovered_at IS NULL
    OR e.fired_at >= $2::timestamptz + interval '${NOTIFICATION_DAYS - UNREAD_NOTIFICATION_DAYS} days'))`;

/** Reads which alert events a user is notified of, and stores which ones the user has read. */
@Injectable()
export class NotificationsRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Returns the user's latest `MAX_NOTIFICATIONS` events, newest first. */
  list(userId: string, now: number): Promise<NotifiedEvent[]> {
    return this.dataSource.query(
      `SELECT ${EVENT_COLUMNS}, p.name AS project_name, NOT ${IS_UNREAD} AS is_read ${NOTIFIED_EVENTS}
       ORDER BY e.fired_at DESC, e.id DESC LIMIT ${MAX_NOTIFICATIONS}`,
      [userId, getFirstTime(now)],
    );
  }

  /** Returns the number of unread events, up to `MAX_UNREAD_NOTIFICATIONS`. */
  async countUnread(userId: string, now: number): Promise<number> {
    const [{ unread }]: [{ unread: number }] = await this.dataSource.query(
      `SELECT count(*)::integer AS unread FROM (
         SELECT ${NOTIFIED_EVENTS} AND ${IS_UNREAD} LIMIT ${MAX_UNREAD_NOTIFICATIONS}) e`,
      [userId, getFirstTime(now)],
    );
    return unread;
  }

  /**
   * Marks events as read. Ignores events that the user isn't notified of.
   *
   * @param ids Event IDs, or null for all events.
   */
  async markRead(userId: string, ids: readonly string[] | null, now: number): Promise<void> {
    await this.dataSource.query(
      `INSERT INTO alert_event_reads (user_id, event_id)
       SELECT u.id, e.id ${NOTIFIED_EVENTS} AND ${IS_UNREAD} AND ($3::uuid[] IS NULL OR e.id = ANY ($3))
       ON CONFLICT DO NOTHING`,
      [userId, getFirstTime(now), ids],
    );
  }
}

const getFirstTime = (now: number): Date => new Date(now - NOTIFICATION_DAYS * 86_400_000);
