const LOG_NAME =
  /[./](?:access|access[_-]?log|error|log|stdout|stderr|nginx|apache2?|httpd|lighttpd|haproxy|caddy|traefik|envoy|gz|bz2|xz|zst|txt)$/i;

/**
 * Returns true for names of log files, and for tags of log collectors such as `web.access` or `docker.nginx`. They can
 * look like host names, but end with a word that isn't a top-level domain.
 */
export const isLogName = (text: string): boolean => LOG_NAME.test(text);
