<?php

declare(strict_types=1);

namespace AgentTraffic;

/** Failed request to the instance. The code is the HTTP status, or 0 if the instance did not respond. */
final class Failure extends \RuntimeException
{
    public function __construct(string $message, int $status = 0, public readonly ?float $retryAfter = null)
    {
        parent::__construct($message, $status);
    }

    /** Returns true if a retry of the same request may succeed. */
    public function isTransient(): bool
    {
        $status = $this->getCode();
        return $status === 0 || $status >= 500 || in_array($status, [408, 409, 425, 429], true);
    }
}

/**
 * Client that reports a PHP site's visits to a project on an Agent Traffic instance, and identifies agents.
 *
 *     require '/path/to/AgentTraffic.php';
 *     (new AgentTraffic\Client())->report(); // reads AGENT_TRAFFIC_URL and AGENT_TRAFFIC_TOKEN
 *
 * After the response, each request appends its visit to a queue file, and one process at a time sends the queued visits
 * in batches. Unsent visits remain in the file until a later request sends them. Reporting never breaks a page: errors
 * are written to PHP's error log.
 */
final class Client
{
    public const VERSION = '0.1.0';

    private const MAX_PATH_LENGTH = 8_192;
    private const MAX_METHOD_LENGTH = 64;
    /** Maximum number of headers per message and of values per header. */
    private const MAX_HEADERS = 200;
    private const MAX_HEADER_LENGTH = 8_192;
    /** Matches headers that help identify the sender. They take precedence if a request has too many headers. */
    private const IDENTITY_HEADERS = '/^(user-agent|from|via|signature.*)$|forwarded|original-|envoy-|ip$/';
    /** Key in `$_SERVER` for the projects that the request was reported to. Request headers can't set it. */
    private const REPORTED_KEY = 'AGENT_TRAFFIC_REPORTED';
    /** Maximum size of a queue file. There are up to three: one being sent, one waiting, and one being appended to. */
    private const MAX_FILE_BYTES = 8 * 1024 * 1024;
    private const BATCH_VISITS = 50;
    private const TIMEOUT_SECONDS = 10.0;
    /**
     * How long a process starts new batches after its response. When PHP-FPM stops, it kills processes after
     * `process_control_timeout`. The README recommends 10 seconds.
     */
    private const MAX_SENDING_SECONDS = 7.0;
    /** Request timeout while the instance is down. */
    private const OUTAGE_TIMEOUT_SECONDS = 2.5;
    // Limits for servers that can't finish the response before the script ends, so visitors wait while visits are sent.
    private const INLINE_SENDING_SECONDS = 0.1;
    private const INLINE_TIMEOUT_SECONDS = 1.0;
    private const INLINE_INTERVAL_SECONDS = 1.0;
    private const MAX_RETRY_DELAY_SECONDS = 30.0;
    private const MAX_RETRY_AFTER_SECONDS = 300.0;
    /**
     * Pause before rules are fetched again after a failure, and before blocking queries the instance again after
     * consecutive failures.
     */
    private const PAUSE_AFTER_FAILURE_SECONDS = 10;
    /**
     * Number of distinct visitors whose requests must get no response in a row before blocking pauses. A single visitor
     * can't pause it, because a request may time out due to its own content.
     */
    private const MAX_FAILED_VISITORS = 5;
    /** Matches private addresses. If the peer has one, it's the site's own proxy, so it doesn't tell visitors apart. */
    private const PRIVATE_ADDRESS = '/^(?:(?:::ffff:)?(?:10\.|127\.|169\.254\.|172\.(?:1[6-9]|2\d|3[01])\.|192\.168\.)|::1$|f[cd]|fe[89ab])/i';
    /** Matches an element of `Forwarded` (RFC 7239), which also describes the proxy and the protocol. */
    private const FORWARDED_FOR = '/(?:^|;)\s*for="?([^";]+)/i';
    /** Matches an IPv6 address in brackets, or an IPv4 address with a port. */
    private const WITH_PORT = '/^(?:\[([^\]]+)\]|(\d+\.[\d.]+):)/';

    private readonly string $url;
    private readonly string $token;
    /** @var list<string> */
    private readonly array $redactedNames;
    /** Path prefix of the client's files, or null if the folder isn't writable. */
    private ?string $filePrefix = null;
    /** Hash that identifies the project without revealing its token. */
    private readonly string $projectKey;

    /**
     * @param string $url Instance URL. Default: the AGENT_TRAFFIC_URL environment variable.
     * @param string $token The project's access token. Default: the AGENT_TRAFFIC_TOKEN environment variable. If the
     *     URL or the token is missing, no visits are reported.
     * @param string|null $folder Folder for queued visits. Default: a private folder in the system's temporary folder.
     * @param list<string> $redact Additional headers and parameters to redact. Names that look like credentials are
     *     always redacted.
     */
    public function __construct(string $url = '', string $token = '', ?string $folder = null, array $redact = [])
    {
        $this->url = rtrim($url !== '' ? $url : (string) getenv('AGENT_TRAFFIC_URL'), '/');
        $this->token = $token !== '' ? $token : (string) getenv('AGENT_TRAFFIC_TOKEN');
        $this->redactedNames = array_map(self::toComparableName(...), $redact);
        $this->projectKey = substr(hash('sha256', "$this->url\n$this->token"), 0, 16);
        if ($this->isEnabled()) {
            $this->attempt(function () use ($folder): void {
                $folder = self::findWritableFolder($folder);
                $this->filePrefix = $folder === null ? null : "$folder/$this->projectKey";
            });
        }
    }

    public function isEnabled(): bool
    {
        return $this->token !== '' && preg_match('~^https?://~', $this->url) === 1;
    }

    /**
     * Reports the current request once its response is finished. Call this before any other code of your site. If
     * several clients for the same project report a request, it is reported once.
     */
    public function report(): void
    {
        $reported = explode(' ', (string) ($_SERVER[self::REPORTED_KEY] ?? ''));
        if (in_array($this->projectKey, $reported, true) || !$this->isEnabled() || !isset($_SERVER['REQUEST_METHOD'])) {
            return;
        }
        $_SERVER[self::REPORTED_KEY] = trim(implode(' ', [...$reported, $this->projectKey]));
        $request = $this->attempt($this->readRequest(...));
        if ($request === null) {
            return;
        }
        $this->runLast(fn () => $this->finish($request));
    }

    /**
     * Sends queued visits, and retries while the instance is unavailable. Page requests also send queued visits, so
     * this is only needed in scheduled jobs. Run them as the user that runs PHP.
     *
     * @return bool Whether the queue was emptied in time.
     */
    public function flush(float $seconds = 10.0): bool
    {
        $deadline = microtime(true) + $seconds;
        while ($this->filePrefix !== null && $this->hasVisits()) {
            $remaining = $deadline - microtime(true);
            if ($remaining <= 0) {
                return false;
            }
            $this->attempt(fn () => $this->send($remaining, min($remaining, self::TIMEOUT_SECONDS)));
            usleep(100_000);
        }
        return true;
    }

    /**
     * Identifies the sender of a request, or the senders of up to 1,000 requests. Redacts credentials in the headers.
     *
     * @param array $requests `request_headers` and, if known, the connection's peer address as `client_address`; or a
     *     list of such arrays.
     * @return array `result`, and `agent_token`, `agent_type_name`, … if an agent was identified; or a list of such
     *     arrays.
     * @throws Failure
     */
    public function identify(array $requests, float $timeout = 2.0): array
    {
        $body = array_is_list($requests)
            ? array_map($this->toIdentification(...), $requests)
            : $this->toIdentification($requests);
        return $this->postForJson('/agent-identifications', $body, $timeout);
    }

    /**
     * Identifies the sender of a request. Unlike `identify`, it also sends the `request_path`, which is needed to
     * verify signatures that cover it. The path isn't redacted, because that would invalidate such signatures.
     *
     * @throws Failure
     */
    public function verify(array $request, float $timeout = 2.0): array
    {
        $path = substr($request['request_path'] ?? '/', 0, self::MAX_PATH_LENGTH);
        $body = $this->toIdentification($request) + ['request_path' => $path];
        return $this->postForJson('/agent-verifications', $body, $timeout);
    }

    /**
     * Returns robots.txt rules for agents of these types, to append to the site's own rules. Cached rules that are too
     * old are still returned, and refreshed after the response. Returns an empty string until the instance has
     * responded once.
     *
     * @param list<string> $types
     * @param array $options `disallow`, `excluded_agent_tokens`, `excluded_operator_names` and other fields of
     *     `POST /robots-txts`.
     */
    public function robotsTxt(array $types, array $options = [], int $maxAgeSeconds = 3600): string
    {
        $rules = $this->getCachedRules('/robots-txts', ['agent_types' => $types] + $options, $maxAgeSeconds);
        return is_string($rules) ? $rules : '';
    }

    /**
     * Returns user agent tokens for agents of these types. Cached in the same way as `robotsTxt`.
     *
     * @param list<string> $types
     * @return list<string>
     */
    public function tokens(array $types, array $options = [], int $maxAgeSeconds = 3600): array
    {
        $body = ['agent_types' => $types] + $options;
        $tokens = $this->getCachedRules('/user-agent-token-lists', $body, $maxAgeSeconds);
        return is_array($tokens) ? $tokens : [];
    }

    /**
     * Responds to the current request with status 403 (or 402) and ends the script if `refuses` returns true.
     *
     * @param list<string> $types
     */
    public function block(array $types, bool $unlessVerified = true, int $status = 403, float $timeout = 0.5): void
    {
        if (!$this->refuses($types, $unlessVerified, $timeout)) {
            return;
        }
        http_response_code($status === 402 ? 402 : 403);
        header('Content-Type: text/plain');
        header('Cache-Control: no-store');
        exit($status === 402 ? "Payment Required\n" : "Forbidden\n");
    }

    /**
     * Returns true if the current request must be blocked, because its sender is an unverified agent of these types.
     * Waits for the instance for up to `$timeout` seconds, and returns false if it doesn't respond. After failures for
     * five visitors in a row, returns false for 10 seconds. If APCu is available, results for unsigned requests are
     * cached for a minute by User-Agent and address. /robots.txt is never blocked.
     *
     * @param list<string> $types
     * @param bool $unlessVerified Set to false to block verified agents too.
     */
    public function refuses(array $types, bool $unlessVerified = true, float $timeout = 0.5): bool
    {
        return $this->isEnabled() && $this->attempt(function () use ($types, $unlessVerified, $timeout): bool {
            $request = $this->readRequest();
            if (explode('?', $request['request_path'])[0] === '/robots.txt') {
                return false;
            }
            $identification = $this->verifyWithCache($request, $timeout);
            return in_array($identification['agent_type_name'] ?? null, $types, true)
                && !($unlessVerified && $identification['result'] === 'verified');
        }) === true;
    }

    // --- Requests and responses ---

    private function readRequest(): array
    {
        $headers = [];
        foreach ($_SERVER as $name => $value) {
            if (is_string($value) && preg_match('/^(?:HTTP_|(?=CONTENT_(?:TYPE|LENGTH)$))(.+)$/', (string) $name, $match)) {
                if ($value !== '') {
                    $headers[strtolower(strtr($match[1], '_', '-'))] = $value;
                }
            }
        }
        $path = $_SERVER['REQUEST_URI'] ?? '/';
        // Requests to a proxy contain an absolute URL.
        $path = preg_replace('~^https?://[^/?]*~i', '', $path) ?? $path;
        $now = microtime(true);
        $started = (float) ($_SERVER['REQUEST_TIME_FLOAT'] ?? $now);
        $request = [
            'request_path' => $path === '' ? '/' : $path,
            'request_method' => $_SERVER['REQUEST_METHOD'],
            'request_headers' => $headers,
            'created' => gmdate('Y-m-d\TH:i:s', (int) $started) . sprintf('.%06dZ', (int) (fmod($started, 1) * 1e6)),
        ];
        $address = explode('%', (string) ($_SERVER['REMOTE_ADDR'] ?? ''))[0];
        return filter_var($address, FILTER_VALIDATE_IP) === false ? $request : $request + ['client_address' => $address];
    }

    /** Runs a task after the site's own shutdown functions, because those may still print output. */
    private function runLast(callable $task): void
    {
        register_shutdown_function(function () use ($task): void {
            register_shutdown_function(fn () => $this->attempt($task));
        });
    }

    private function finish(array $visit): void
    {
        $started = (float) ($_SERVER['REQUEST_TIME_FLOAT'] ?? microtime(true));
        ignore_user_abort(true);
        // A session stays locked until its script ends, which would delay the visitor's next request.
        if (session_status() === PHP_SESSION_ACTIVE) {
            session_write_close();
        }
        $isFinished = self::finishResponse();
        $visit['response_status_code'] = http_response_code() ?: 200;
        $visit['response_headers'] = self::readResponseHeaders();
        $visit['response_duration_in_milliseconds'] = round((microtime(true) - $started) * 1000, 3);
        if (connection_aborted() === 1) {
            $visit['response_aborted'] = true;
        }
        if ($this->filePrefix === null) {
            $this->post('/visits', $this->encode([$this->redactVisit($visit)]), [], self::INLINE_TIMEOUT_SECONDS);
            return;
        }
        $this->store($this->encode($this->redactVisit($visit)) . "\n");
        $this->send(
            $isFinished ? self::MAX_SENDING_SECONDS : self::INLINE_SENDING_SECONDS,
            $isFinished ? self::TIMEOUT_SECONDS : self::INLINE_TIMEOUT_SECONDS,
            $isFinished ? 0.0 : self::INLINE_INTERVAL_SECONDS,
        );
    }

    /** Finishes the response before the script ends. If the server doesn't support that, only flushes the output. */
    private static function finishResponse(): bool
    {
        foreach (['fastcgi_finish_request', 'litespeed_finish_request'] as $finish) {
            if (function_exists($finish)) {
                $finish();
                return true;
            }
        }
        while (ob_get_level() > 0 && ob_end_flush());
        flush();
        return false;
    }

    private static function readResponseHeaders(): array
    {
        $headers = [];
        foreach (headers_list() as $line) {
            [$name, $value] = explode(':', $line, 2) + [1 => ''];
            $name = strtolower($name);
            $headers[$name] = isset($headers[$name]) ? [...(array) $headers[$name], trim($value)] : trim($value);
        }
        // PHP adds its default Content-Type only when it sends the headers.
        $type = (string) ini_get('default_mimetype');
        return $headers + ($type === '' ? [] : ['content-type' => $type]);
    }

    // --- Queue files ---

    /** Appends a line to the queue. If the queue is full, drops the visits in the waiting file. */
    private function store(string $line): void
    {
        $this->withLock(function () use ($line): void {
            $current = "$this->filePrefix.visits";
            if (@filesize($current) > self::MAX_FILE_BYTES) {
                $waiting = "$this->filePrefix.waiting";
                if (is_file($waiting)) {
                    $count = substr_count((string) file_get_contents($waiting), "\n");
                    self::warn('dropped ' . self::formatCount($count) . ': the queue is full');
                }
                rename($current, $waiting);
            }
            file_put_contents($current, $line, FILE_APPEND);
        });
    }

    /** Sends queued visits, unless another process is sending them or sending is paused. */
    private function send(float $seconds, float $timeout, float $interval = 0.0): void
    {
        if ($this->filePrefix === null) {
            return;
        }
        $deadline = microtime(true) + $seconds;
        $sender = fopen("$this->filePrefix.sender", 'c');
        // Check for visits again after releasing the lock, because another process may have stored one in the meantime.
        while ($this->hasVisits() && microtime(true) < $deadline && !$this->isPaused()) {
            if ($sender === false || !flock($sender, LOCK_EX | LOCK_NB)) {
                return;
            }
            try {
                while (microtime(true) < $deadline && !$this->isPaused() && ($file = $this->nextFile()) !== null) {
                    $this->sendFile($file, $deadline, $timeout);
                }
                if ($interval > 0.0 && !$this->isPaused()) {
                    $this->pause($interval, 0);
                }
            } finally {
                flock($sender, LOCK_UN);
            }
        }
    }

    private function hasVisits(): bool
    {
        clearstatcache();
        return is_file("$this->filePrefix.sending")
            || is_file("$this->filePrefix.waiting")
            || is_file("$this->filePrefix.visits");
    }

    /** Returns the file with the oldest visits. No more visits are appended to it. */
    private function nextFile(): ?string
    {
        return $this->withLock(function (): ?string {
            clearstatcache();
            $sending = "$this->filePrefix.sending";
            foreach (["$this->filePrefix.waiting", "$this->filePrefix.visits"] as $file) {
                if (!is_file($sending) && is_file($file)) {
                    // Remove the offset of the previous file, in case a process died after removing only that file.
                    @unlink("$this->filePrefix.sent");
                    rename($file, $sending);
                }
            }
            return is_file($sending) ? $sending : null;
        });
    }

    /**
     * Sends a file's visits in batches, and then deletes the file. The idempotency key is a hash of the batch. If a
     * process dies after sending a batch but before saving the offset, the batch is sent again with the same key, so
     * its visits aren't recorded twice.
     */
    private function sendFile(string $file, float $deadline, float $timeout): void
    {
        $lines = fopen($file, 'r');
        $offsetFile = "$this->filePrefix.sent";
        fseek($lines, (int) @file_get_contents($offsetFile));
        for (;;) {
            $batch = [];
            while (count($batch) < self::BATCH_VISITS && ($line = fgets($lines)) !== false) {
                // Skip lines that were truncated because the disk was full.
                if (is_array(json_decode($line, true))) {
                    $batch[] = rtrim($line, "\n");
                }
            }
            if ($batch === []) {
                unlink($file);
                @unlink($offsetFile);
                return;
            }
            $attempt = (int) (explode(' ', (string) @file_get_contents("$this->filePrefix.pause"))[1] ?? 0);
            $remaining = max($deadline - microtime(true), self::INLINE_TIMEOUT_SECONDS);
            $maxTimeout = $attempt > 0 ? self::OUTAGE_TIMEOUT_SECONDS : $timeout;
            try {
                $losses = $this->sendBatch($batch, min($timeout, $remaining, $maxTimeout));
            } catch (Failure $failure) {
                if ($attempt === 0) {
                    self::warn("visits are queued because the instance is unavailable: {$failure->getMessage()}");
                }
                $this->pause(self::getRetryDelay($attempt, $failure->retryAfter), $attempt + 1);
                return;
            }
            @unlink("$this->filePrefix.pause");
            array_walk($losses, self::warn(...));
            file_put_contents($offsetFile, (string) ftell($lines), LOCK_EX);
            if (microtime(true) >= $deadline) {
                return;
            }
        }
    }

    /**
     * Sends visits, and splits the batch if the instance rejects it as too large. A retry must send the entire batch
     * again, because the parts' idempotency keys depend on how it is split.
     *
     * @param list<string> $batch Visits as JSON.
     * @return list<string> Warnings about dropped and rejected visits.
     * @throws Failure if the failure is transient.
     */
    private function sendBatch(array $batch, float $timeout): array
    {
        $body = '[' . implode(',', $batch) . ']';
        try {
            $response = $this->post('/visits', $body, ['Idempotency-Key: ' . hash('sha256', $body)], $timeout);
            $rejected = (int) ($response['headers']['x-visits-rejected'] ?? 0);
            return $rejected > 0 ? ['the instance rejected ' . self::formatCount($rejected)] : [];
        } catch (Failure $failure) {
            if ($failure->isTransient()) {
                throw $failure;
            }
            if ($failure->getCode() !== 413 || count($batch) === 1) {
                return ['dropped ' . self::formatCount(count($batch)) . ": {$failure->getMessage()}"];
            }
            $halves = array_chunk($batch, intdiv(count($batch) + 1, 2));
            return array_merge(...array_map(fn (array $half): array => $this->sendBatch($half, $timeout), $halves));
        }
    }

    private function isPaused(): bool
    {
        return microtime(true) < (float) @file_get_contents("$this->filePrefix.pause");
    }

    /** Pauses sending in all processes. Saves the number of failed attempts along with the time. */
    private function pause(float $seconds, int $attempts): void
    {
        $content = sprintf('%.3F %d', microtime(true) + $seconds, $attempts);
        file_put_contents("$this->filePrefix.pause", $content, LOCK_EX);
    }

    private static function getRetryDelay(int $attempt, ?float $retryAfter): float
    {
        $random = mt_rand() / mt_getrandmax();
        return $retryAfter !== null
            ? min($retryAfter, self::MAX_RETRY_AFTER_SECONDS) * (1 + $random / 4)
            : min(self::MAX_RETRY_DELAY_SECONDS, 0.5 * 2 ** min($attempt, 10)) * (0.75 + $random / 2);
    }

    private function withLock(callable $task): mixed
    {
        $lock = fopen("$this->filePrefix.lock", 'c');
        flock($lock, LOCK_EX);
        try {
            return $task();
        } finally {
            flock($lock, LOCK_UN);
            fclose($lock);
        }
    }

    /**
     * Returns the folder for queued visits, or null if it isn't writable. The default folder must be private, because
     * visits contain personal data such as IP addresses.
     */
    private static function findWritableFolder(?string $folder): ?string
    {
        if ($folder === null) {
            $user = function_exists('posix_geteuid') ? posix_geteuid() : get_current_user();
            $folder = sys_get_temp_dir() . "/agent-traffic-$user";
            @mkdir($folder, 0700);
            $isPrivate = DIRECTORY_SEPARATOR === '\\' || (@fileperms($folder) & 0077) === 0;
            // Another user may have created the folder. For root, `is_writable` returns true even then.
            $isOwner = !is_int($user) || @fileowner($folder) === $user;
            if (is_link($folder) || !$isPrivate || !$isOwner) {
                return null;
            }
        }
        return is_dir($folder) && is_writable($folder) ? $folder : null;
    }

    // --- Requests to the instance ---

    private function toIdentification(array $request): array
    {
        return array_intersect_key($request, ['id' => true, 'client_address' => true])
            + ['request_headers' => (object) $this->redactHeaders((array) $request['request_headers'])];
    }

    private function postForJson(string $path, array $body, float $timeout): array
    {
        $headers = ['Agent-Traffic-Timeout-Ms: ' . (int) round($timeout * 1000)];
        $response = json_decode($this->post($path, $this->encode($body), $headers, $timeout)['body'], true);
        return is_array($response) ? $response : throw new Failure("POST $this->url$path returned invalid JSON", 200);
    }

    /** Verifies a request. Uses a cached result if available, and doesn't query the instance during a pause. */
    private function verifyWithCache(array $request, float $timeout): array
    {
        $headers = $request['request_headers'];
        $key = null;
        // Results for signed requests aren't cached, because each signature must be verified.
        if (!isset($headers['signature']) && function_exists('apcu_enabled') && apcu_enabled()) {
            $identityHeaders = array_filter(
                $headers,
                fn ($name) => preg_match(self::IDENTITY_HEADERS, (string) $name) === 1,
                ARRAY_FILTER_USE_KEY,
            );
            $identity = $this->encode([$identityHeaders, $request['client_address'] ?? null]);
            $key = 'agent-traffic-' . hash('sha256', "$this->url $this->token $identity");
            $cached = apcu_fetch($key);
            if (is_array($cached)) {
                return $cached;
            }
        }
        $pausedAfter = time() - self::PAUSE_AFTER_FAILURE_SECONDS;
        if ($this->filePrefix !== null && @filemtime("$this->filePrefix.failed") > $pausedAfter) {
            return ['result' => 'unknown_agent'];
        }
        $started = microtime(true);
        try {
            $identification = $this->verify($request, $timeout);
            $this->clearFailures();
        } catch (Failure $failure) {
            // An error status concerns only this request, and shows that the instance is reachable.
            if ($failure->getCode() === 0) {
                $this->recordFailure(self::getVisitorKey($headers, $request['client_address'] ?? ''));
            } else {
                $this->clearFailures();
            }
            throw $failure;
        }
        // After a slow `not_verifiable`, a lookup may still be running. Its result is available for the next request.
        $isFinal = $identification['result'] !== 'not_verifiable' || microtime(true) - $started < $timeout / 2;
        if ($key !== null && $isFinal) {
            apcu_store($key, $identification, 60);
        }
        return $identification;
    }

    private function recordFailure(string $visitorKey): void
    {
        if ($this->filePrefix === null) {
            return;
        }
        $this->withLock(function () use ($visitorKey): void {
            $file = "$this->filePrefix.failing";
            $failedVisitors = @file($file, FILE_IGNORE_NEW_LINES) ?: [];
            if (count($failedVisitors) < self::MAX_FAILED_VISITORS && !in_array($visitorKey, $failedVisitors, true)) {
                $failedVisitors[] = $visitorKey;
                file_put_contents($file, "$visitorKey\n", FILE_APPEND);
            }
            if (count($failedVisitors) === self::MAX_FAILED_VISITORS) {
                touch("$this->filePrefix.failed");
            }
        });
    }

    private function clearFailures(): void
    {
        if ($this->filePrefix !== null && is_file("$this->filePrefix.failing")) {
            $this->withLock(fn () => @unlink("$this->filePrefix.failing"));
        }
    }

    /**
     * Returns a hash of a value that visitors can't easily forge: the peer address or, behind a proxy, the last
     * forwarded address. IPv6 addresses are truncated to their /48 prefix. Without any address, hashes the user agent.
     */
    private static function getVisitorKey(array $headers, string $peer): string
    {
        if ($peer === '' || preg_match(self::PRIVATE_ADDRESS, $peer) === 1) {
            $getLast = fn (string $name): string => trim(substr(strrchr(',' . ($headers[$name] ?? ''), ','), 1));
            preg_match(self::FORWARDED_FOR, $getLast('forwarded'), $forwarded);
            $peer = $getLast('x-forwarded-for') ?: $forwarded[1] ?? $getLast('x-real-ip');
            if (preg_match(self::WITH_PORT, $peer, $match) === 1) {
                $peer = end($match);
            }
        }
        $bytes = @inet_pton($peer);
        $network = is_string($bytes) && strlen($bytes) === 16 ? substr($bytes, 0, 6) : $peer;
        return hash('sha256', $network !== '' ? $network : (string) ($headers['user-agent'] ?? ''));
    }

    /** Returns the response to a rules request, or null if none is cached and the instance is unavailable. */
    private function getCachedRules(string $path, array $body, int $maxAgeSeconds): mixed
    {
        return !$this->isEnabled() ? null : $this->attempt(function () use ($path, $body, $maxAgeSeconds): mixed {
            $json = $this->encode($body);
            $file = $this->filePrefix === null
                ? null
                : "$this->filePrefix." . substr(hash('sha256', "$path $json"), 0, 16) . '.rules';
            $entry = $file === null ? null : json_decode((string) @file_get_contents($file), true);
            $fetch = function () use ($path, $json, $file, $entry): mixed {
                // Save the time before the request, so that other processes don't try at the same time.
                self::replaceFile($file, ['tried_at' => time()] + ($entry ?? []));
                $response = $this->post($path, $json, [], 2.0)['body'];
                $value = $path === '/robots-txts' ? $response : json_decode($response, true);
                self::replaceFile($file, ['fetched_at' => time(), 'value' => $value]);
                return $value;
            };
            $value = $entry['value'] ?? null;
            $isFresh = ($entry['fetched_at'] ?? 0) > time() - $maxAgeSeconds;
            if ($isFresh || ($entry['tried_at'] ?? 0) > time() - self::PAUSE_AFTER_FAILURE_SECONDS) {
                return $value;
            }
            if ($value === null) {
                return $fetch();
            }
            $this->runLast(function () use ($fetch): void {
                self::finishResponse();
                $fetch();
            });
            return $value;
        });
    }

    /** Replaces a file atomically. Does nothing if the path is null. */
    private static function replaceFile(?string $file, array $content): void
    {
        if ($file === null) {
            return;
        }
        $temporaryFile = "$file." . bin2hex(random_bytes(4));
        file_put_contents($temporaryFile, json_encode($content, JSON_INVALID_UTF8_SUBSTITUTE));
        rename($temporaryFile, $file);
    }

    /**
     * @param list<string> $headers
     * @return array{headers: array<string, string>, body: string}
     * @throws Failure if the request fails or the response status isn't 2xx.
     */
    private function post(string $path, string $body, array $headers, float $timeout): array
    {
        $headers[] = "Authorization: Bearer $this->token";
        $headers[] = 'Content-Type: application/json';
        $headers[] = 'User-Agent: agent-traffic-php/' . self::VERSION;
        if (strlen($body) > 1_024 && function_exists('gzencode')) {
            $body = gzencode($body, 6);
            $headers[] = 'Content-Encoding: gzip';
        }
        [$headerLines, $responseBody] = function_exists('curl_init')
            ? self::postWithCurl($this->url . $path, $body, $headers, $timeout)
            : self::postWithStream($this->url . $path, $body, $headers, $timeout);
        $status = 0;
        $responseHeaders = [];
        foreach ($headerLines as $line) {
            if (preg_match('~^HTTP/\S+ (\d{3})~', $line, $match)) {
                // Start over, because an interim response such as 100 Continue may come first.
                [$status, $responseHeaders] = [(int) $match[1], []];
            } elseif (str_contains($line, ':')) {
                [$name, $value] = explode(':', $line, 2);
                $responseHeaders[strtolower($name)] = trim($value);
            }
        }
        if ($status < 200 || $status > 299) {
            $retryAfter = $responseHeaders['retry-after'] ?? '';
            $detail = substr($responseBody, 0, 500);
            $message = $status === 0
                ? "POST $this->url$path failed: no response"
                : "POST $path returned $status" . ($detail === '' ? '' : ": $detail");
            throw new Failure($message, $status, preg_match('/^\d{1,6}$/', $retryAfter) ? (float) $retryAfter : null);
        }
        return ['headers' => $responseHeaders, 'body' => $responseBody];
    }

    /** @return array{list<string>, string} Status and header lines, and the body. */
    private static function postWithCurl(string $url, string $body, array $headers, float $timeout): array
    {
        $lines = [];
        $curl = curl_init($url);
        curl_setopt_array($curl, [
            CURLOPT_POSTFIELDS => $body,
            CURLOPT_HTTPHEADER => [...$headers, 'Expect:'],
            CURLOPT_RETURNTRANSFER => true,
            CURLOPT_TIMEOUT_MS => (int) ($timeout * 1000),
            CURLOPT_NOSIGNAL => true,
            CURLOPT_HEADERFUNCTION => function ($_, string $line) use (&$lines): int {
                $lines[] = $line;
                return strlen($line);
            },
        ]);
        $response = curl_exec($curl);
        return is_string($response) ? [$lines, $response] : [[], ''];
    }

    /** @return array{list<string>, string} Status and header lines, and the body. */
    private static function postWithStream(string $url, string $body, array $headers, float $timeout): array
    {
        $stream = @fopen($url, 'r', false, stream_context_create(['http' => [
            'method' => 'POST',
            'header' => $headers,
            'content' => $body,
            'timeout' => $timeout,
            'follow_location' => 0,
            'ignore_errors' => true,
            'protocol_version' => 1.1,
        ]]));
        if ($stream === false) {
            return [[], ''];
        }
        $response = (string) stream_get_contents($stream);
        $metadata = stream_get_meta_data($stream);
        fclose($stream);
        return $metadata['timed_out'] ? [[], ''] : [$metadata['wrapper_data'], $response];
    }

    // --- Redaction ---

    // These lists and patterns must match the instance's. The instance also redacts credentials that it recognizes by
    // their format, but the client only checks names.

    /**
     * Harmless names that resemble credentials: RFC 9421 signature fields, the host, public keys and identifiers, and
     * authentication challenges.
     */
    private const HARMLESS_NAMES = [
        'signature', 'signature-input', 'signature-agent', 'accept-signature', ':authority', 'authority',
        'sec-websocket-key', 'sec-websocket-accept', 'idempotency-key', 'surrogate-key', 'cache-key', 'www-authenticate',
        'proxy-authenticate', 'access-control-allow-credentials',
    ];
    /** Maximum length of an x402 payment that is decoded. */
    private const MAX_PAYMENT_LENGTH = 16_384;
    /** Names that payment APIs use for card and account secrets, and headers with a wallet's signature in x402. */
    private const PAYMENT_NAMES = [
        'cvc', 'cvc2', 'cvv', 'cvv2', 'pan', 'card-number', 'cardnumber', 'iban', 'x-payment', 'sign-in-with-x',
    ];
    private const CREDENTIAL_FRAGMENT = '/token|secret|session|sess-?id|passw|passc|passphrase|pwd|credential|cookie|signature|jwt|saml|'
        . 'bearer|assertion|verifier|ticket|otp-?code|api-?key|private-?key|access-?key|auth|hmac|'
        . 'magic-?link|captcha|turnstile|macaroon|unsubscribe/';
    /** Words starting with `author`, which would otherwise match `auth`. */
    private const AUTHOR_WORD = '/author(?:s|ed|ity|ities|name|id)?(?:[^a-z]|$)/';
    private const CREDENTIAL_WORD = '/(?:^|[^a-z])(?:pin|sid|sig|nonce|csrf|xsrf|mfa|[2t]fa|tkn|pw|psw|psk|creds?|one-?time[a-z]*|'
        . 'cf-?id)(?:[^a-z]|$)|(?:keys?|pass|otp)(?:[^a-z]|$)/';
    /**
     * One-time codes and links, such as `verification_code` and `invite-link`, but not `country_code` or `error_code`.
     */
    private const ONE_TIME = '/(?:access|log-?in|sign-?in|sign-?up|verify|verification|confirm|confirmation|reset|recovery|'
        . 'backup|invite|invitation|activation|device|user|sms|mail|security|mfa|[2t]fa|pairing|oob|magic|'
        . 'unlock|approval|registration|enroll?ment|challenge|one-?time)-?code|(?:reset|invite|invitation|'
        . 'verify|verification|confirm|confirmation|activate|activation)-?(?:link|hash|ur[il])/';
    /** Parameters containing a one-time code, such as `?reset=` and `?email_verify=`. */
    private const ONE_TIME_PARAMETER = '/invite|invitation|magic|verify|verification|unsub|activation|confirmation|(?:^|[^a-z])reset|'
        . '(?:^|[^a-z])(?:confirm|activate|opt-?out|hashed|oob|otc|otac|ott|totp|tok|tk|rt-tk|sess|'
        . 'sso)(?:[^a-z]|$)|hash(?:[^a-z]|$)/';
    /** Parameters in OAuth 2.0, WS-Federation and signed URLs. These names are harmless in headers. */
    private const PARAMETER_NAMES = [
        'code', 'state', 'relaystate', 'oauth-state', 'wresult', 'wctx', 'signature', 'sign', 'hdnts', 'hdnea', 'hdntl',
        '--gda--',
    ];
    /** URL in a header value, up to the next space. Other text can contain `; token=abc`, for example a user agent. */
    private const URL_PATTERN = '~\B/\S*~';
    /** Signature headers (RFC 9421, RFC 9530). Redacting parts of their values would break signature verification. */
    private const SIGNATURE_HEADERS = '/^(?:signature(?:-input|-agent)?|content-digest)$/i';

    private function redactVisit(array $visit): array
    {
        foreach (['request_headers', 'response_headers'] as $field) {
            $visit[$field] = (object) $this->redactHeaders($visit[$field]);
        }
        $visit['request_path'] = substr($this->redactParameters($visit['request_path']), 0, self::MAX_PATH_LENGTH);
        $visit['request_method'] = substr($visit['request_method'], 0, self::MAX_METHOD_LENGTH);
        return $visit;
    }

    /** Returns a copy with credentials redacted. Drops and truncates headers that exceed the instance's limits. */
    private function redactHeaders(array $headers): array
    {
        if (count($headers) > self::MAX_HEADERS) {
            $isIdentity = fn ($name): bool => preg_match(self::IDENTITY_HEADERS, strtolower((string) $name)) === 1;
            $headers = array_filter($headers, $isIdentity, ARRAY_FILTER_USE_KEY) + $headers;
            $headers = array_slice($headers, 0, self::MAX_HEADERS, true);
        }
        foreach ($headers as $name => $value) {
            $headers[$name] = match (true) {
                $this->isSecret((string) $name) => self::redactPayment((string) $name, $value),
                preg_match(self::SIGNATURE_HEADERS, (string) $name) === 1 => self::limitValue($value),
                default => $this->redactHeaderValue(self::limitValue($value)),
            };
        }
        return $headers;
    }

    /**
     * Returns the scheme of a payment or license, the price of an x402 payment without the signature and wallets, or
     * `[redacted]`.
     */
    private static function redactPayment(string $name, mixed $value): string
    {
        if (!is_string($value) || strlen($value) > self::MAX_PAYMENT_LENGTH) {
            return '[redacted]';
        }
        if (strtolower($name) === 'authorization') {
            $isPayment = preg_match('/^[ \t]*(payment|license)(?:[ \t]|$)/i', $value, $scheme) === 1;
            return $isPayment ? ucfirst(strtolower($scheme[1])) . ' [redacted]' : '[redacted]';
        }
        if (!in_array(strtolower($name), ['payment-signature', 'x-payment'], true)) {
            return '[redacted]';
        }
        $payment = json_decode((string) base64_decode($value, true), true, 16);
        $authorization = $payment['payload']['authorization'] ?? null;
        if (!is_array($payment) || !(is_array($payment['accepted'] ?? null) || is_array($authorization))) {
            return '[redacted]';
        }
        $version = $payment['x402Version'] ?? null;
        $reduced = ['x402Version' => $version === 1 || $version === 2 ? $version : null];
        if (is_array($payment['accepted'] ?? null)) {
            $reduced['accepted'] = (object) self::pick($payment['accepted'], ['scheme', 'network', 'asset', 'amount']);
        } else {
            $reduced += self::pick($payment, ['scheme', 'network']);
            $reduced['payload'] = ['authorization' => (object) self::pick($authorization, ['value'])];
        }
        return json_encode($reduced, JSON_UNESCAPED_SLASHES) ?: '[redacted]';
    }

    private static function pick(array $fields, array $names): array
    {
        $isShown = fn (mixed $value): bool => is_string($value) && strlen($value) <= 80;
        return array_filter(array_intersect_key($fields, array_flip($names)), $isShown);
    }

    private static function limitValue(mixed $value): mixed
    {
        return match (true) {
            is_array($value) => array_map(self::limitValue(...), array_slice($value, 0, self::MAX_HEADERS)),
            is_string($value) => substr($value, 0, self::MAX_HEADER_LENGTH),
            default => $value,
        };
    }

    private function redactHeaderValue(mixed $value): mixed
    {
        return match (true) {
            is_array($value) => array_map($this->redactHeaderValue(...), $value),
            !is_string($value) => $value,
            strpbrk($value, '?#') !== false => $this->redactParameters($value),
            default => preg_replace_callback(
                self::URL_PATTERN,
                fn (array $match): string => $this->redactParameters($match[0]),
                $value,
            ) ?? '[redacted]',
        };
    }

    /** Redacts query, fragment and path parameters, such as `/reset?token=abc` and `/a;jsessionid=abc`. */
    private function redactParameters(string $text): string
    {
        return preg_replace_callback('/(?<=[?&;#])([^=&;#?]*)=([^&;#]*)/', function (array $match): string {
            $name = urldecode($match[1]);
            $isSecret = self::isCredentialParameter($name) || $this->isSecret($name);
            return $isSecret ? "$match[1]=[redacted]" : $match[0];
        }, $text) ?? '[redacted]';
    }

    private function isSecret(string $name): bool
    {
        return self::isCredentialName($name) || in_array(self::toComparableName($name), $this->redactedNames, true);
    }

    /** Returns true if the value of a header or parameter with this name must be redacted. */
    public static function isCredentialName(string $name): bool
    {
        $comparable = self::toComparableName($name);
        if (in_array($comparable, self::HARMLESS_NAMES, true)) {
            return false;
        }
        $nameWithoutAuthor = preg_replace(self::AUTHOR_WORD, '-', $comparable);
        return in_array($comparable, self::PAYMENT_NAMES, true)
            || preg_match(self::CREDENTIAL_FRAGMENT, $nameWithoutAuthor)
            || preg_match(self::CREDENTIAL_WORD, $nameWithoutAuthor)
            || preg_match(self::ONE_TIME, $nameWithoutAuthor)
            || preg_match(self::CREDENTIAL_WORD, self::splitCamelCase($name));
    }

    /** Returns true if a name is harmless in a header, but a credential in a URL parameter. */
    public static function isCredentialParameter(string $name): bool
    {
        $comparable = self::toComparableName($name);
        return in_array($comparable, self::PARAMETER_NAMES, true)
            || preg_match(self::ONE_TIME_PARAMETER, $comparable)
            || preg_match(self::ONE_TIME_PARAMETER, self::splitCamelCase($name));
    }

    private static function splitCamelCase(string $name): string
    {
        return self::toComparableName(preg_replace('/([a-z0-9])([A-Z])/', '$1-$2', self::toAscii($name)));
    }

    private static function toComparableName(string $name): string
    {
        return strtr(strtolower(trim(self::toAscii($name))), '_ ', '--');
    }

    /**
     * Converts full-width and other compatible characters to ASCII, as in Unicode normalization (NFKC). PHP itself only
     * supports normalization with an optional extension.
     */
    private static function toAscii(string $name): string
    {
        static $map = null;
        return preg_replace_callback('/[\xC2-\xF4][\x80-\xBF]+/', static function (array $match) use (&$map): string {
            $map ??= self::createAsciiMap();
            return $map[$match[0]] ?? $match[0];
        }, $name);
    }

    /** @return array<string, string> Characters and their ASCII equivalents. */
    private static function createAsciiMap(): array
    {
        $letters = implode('', [...range('A', 'Z'), ...range('a', 'z')]);
        $digits = '0123456789';
        $styled = '﹣⁰⓪¹²³ᴬᴮℬℂℭⅭꟲᴰⅅⅮᴱℰℱꟳᴳᴴℋℌℍᴵℐℑⅠᴶᴷᴸℒⅬᴹℳⅯᴺℕᴼᴾℙℚꟴᴿℛℜℝᵀᵁⅤⱽᵂⅩℤℨ﹇﹈︳︴﹍﹎﹏ªᵃₐᵇᶜⅽᵈⅆⅾᵉₑℯⅇᶠᵍℊʰₕℎᵢⁱℹⅈⅰʲⅉⱼᵏₖˡₗℓⅼ'
            . 'ᵐₘⅿⁿₙºᵒₒℴᵖₚ𐞥ʳᵣſˢₛᵗₜᵘᵤᵛᵥⅴʷˣₓⅹʸᶻ';
        $plain = '-00123ABBCCCCDDDEEFFGHHHHIIIIJKLLLMMMNNOPPQQRRRRTUVVWXZZ[]_____aaabccdddeeeefgghhhiiiiijjjkkllll'
            . 'mmmnnooooppqrrsssttuuvvvwxxxyz';
        $map = array_combine(preg_split('//u', $styled, -1, PREG_SPLIT_NO_EMPTY), str_split($plain));
        // Each key is the code point of the first of several consecutive characters.
        $ranges = [
            0xA0 => ' ', 0x2000 => str_repeat(' ', 11), 0x202F => ' ', 0x205F => ' ', 0x3000 => ' ',
            0x2074 => '456789', 0x2080 => $digits, 0x2460 => '123456789',
            0x1D7CE => str_repeat($digits, 5), 0x1FBF0 => $digits,
            0x212A => 'K', 0x24B6 => $letters, 0x1D400 => str_repeat($letters, 13), 0x1F12B => 'CR',
            0x1F130 => substr($letters, 0, 26), 0xFF01 => implode('', array_map('chr', range(33, 126))),
        ];
        foreach ($ranges as $first => $characters) {
            foreach (str_split($characters) as $index => $character) {
                $map[html_entity_decode('&#' . ($first + $index) . ';', ENT_QUOTES, 'UTF-8')] = $character;
            }
        }
        return $map + ['ﬀ' => 'ff', 'ﬁ' => 'fi', 'ﬂ' => 'fl', 'ﬃ' => 'ffi', 'ﬄ' => 'ffl', 'ﬅ' => 'st', 'ﬆ' => 'st'];
    }

    // --- Errors ---

    /**
     * Runs a task. Logs errors instead of throwing them so they can't break the site, even if its error handler turns
     * warnings into exceptions.
     *
     * @return mixed The task's result, or null if it failed.
     */
    private function attempt(callable $task): mixed
    {
        set_error_handler(static fn (): bool => true);
        try {
            return $task();
        } catch (\Throwable $error) {
            self::warn($error->getMessage());
            return null;
        } finally {
            restore_error_handler();
        }
    }

    private static function warn(string $message): void
    {
        error_log("Agent Traffic: $message");
    }

    private static function formatCount(int $count): string
    {
        return $count === 1 ? '1 visit' : "$count visits";
    }

    private function encode(array $value): string
    {
        return json_encode($value, JSON_INVALID_UTF8_SUBSTITUTE | JSON_UNESCAPED_SLASHES | JSON_THROW_ON_ERROR);
    }
}
