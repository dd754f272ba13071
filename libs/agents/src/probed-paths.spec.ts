import { isProbedPath } from './probed-paths.js';

it.each(['/wp-login.php', '/.env.local', '/shop/.git/config', '/phpMyAdmin/index.php', '/backup.zip', '/db/dump.SQL'])(
  'recognizes %s as a path that scanners request',
  (path) => expect(isProbedPath(path)).toBe(true),
);

it.each(['/', '/blog/how-to-use-git', '/environment', '/downloads/catalog.zip', '/admin', '/wp-admin/admin-ajax.php'])(
  'does not take a request for %s for a scan',
  (path) => expect(isProbedPath(path)).toBe(false),
);
