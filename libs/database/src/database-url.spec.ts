import { DriverUtils } from 'typeorm/driver/DriverUtils.js';
import { databaseUrl } from './database-url.js';

it('percent-encodes special characters in the password', () => {
  const password = String.raw`a:b@c/d%41?#"\ ü`;
  const url = databaseUrl('postgres://user:other@db:5432/name?sslmode=disable', password);
  expect(DriverUtils.buildDriverOptions({ type: 'postgres', url })).toMatchObject({
    username: 'user',
    password,
    host: 'db',
    port: 5432,
    database: 'name',
  });
});

it('returns the URL unchanged if no password is set', () => {
  expect(databaseUrl('postgres://user:own@db/name', undefined)).toBe('postgres://user:own@db/name');
});

it.each(['postgres:///name', 'postgres://db/name', 'db:5432'])(
  'rejects %p because it has no host or no user',
  (url) => {
    expect(() => databaseUrl(url, 'secret-password')).toThrow(
      /^DATABASE_PASSWORD requires a DATABASE_URL with a user and a host/,
    );
  },
);
