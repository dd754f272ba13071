/** Files and folders that a site shouldn't publish, but that vulnerability scanners request. In lower case. */
const SECRETS = [
  '/.env',
  '/.git/',
  '/.aws/',
  '/.ssh/',
  '/.svn/',
  '/wp-config.php',
  '/phpinfo.php',
  '/phpmyadmin',
  '/vendor/phpunit/',
];
/** Sign-in pages and interfaces of WordPress, on sites that don't necessarily use it. */
const SIGN_INS = ['/wp-login.php', '/wp-admin/', '/xmlrpc.php'];
const BACKUP_ENDINGS = ['.sql', '.sql.gz', '.bak', '.old', '/backup.zip', '/backup.tar.gz'];

/** Returns true for paths that vulnerability scanners typically request. People and crawlers rarely do. */
export function isProbedPath(path: string): boolean {
  const lower = path.toLowerCase();
  return (
    [...SECRETS, ...SIGN_INS].some((part) => lower.includes(part)) ||
    BACKUP_ENDINGS.some((ending) => lower.endsWith(ending))
  );
}
