<?php

declare(strict_types=1);

namespace AgentTraffic;

/** A request that the instance did not answer, or refused; the code is the status, 0 when nothing answered. */
final class Failure extends \RuntimeException
{
    public function __construct(string $message, int $status = 0, public readonly ?float $retryAfter = null)
    {
        parent::__construct($message, $status);
    }

    /** Returns whether the same request may succeed later. */
    public function isTransient(): bool
    {
        return $this->getCode() === 0 || $this->getCode() >= 500 || in_array($this->getCode(), [408, 409, 425, 429], true);
    }
}

/**
 * A project of an Agent Traffic instance: reports the visits of a PHP site, and asks about requests.
 *
 *     require '/path/to/AgentTraffic.php';
 *     (new AgentTraffic\Client())->report(); // reads AGENT_TRAFFIC_URL and AGENT_TRAFFIC_TOKEN
 *
 * Visits are appended to a file in a folder of their own, and sent from there after the response, many at a time: by one
 * process, while the others go on. What could not be sent stays in the file for a later request to send. Nothing here ends
 * a page: faults go to the error log.
 */
final class Client
{
    public const VERSION = '0.1.0';

    private const MAX_PATH_LENGTH = 8_192;
    private const MAX_METHOD_LENGTH = 64;
    private const MAX_HEADERS = 200;
    private const MAX_HEADER_LENGTH = 8_192;
    /** Headers that identify the sender. */
    private const IDENTITY = '/^(user-agent|from|via|signature.*)$|forwarded|original-|envoy-|ip$/';
    /** Where a request keeps the projects that it is reported to; no header of a visitor has such a name. */
    private const REPORTED = 'AGENT_TRAFFIC_REPORTED';
    /** Of a file of visits. There are three at most: those that are sent, those that wait, and those that come. */
    private const MAX_FILE_BYTES = 8 * 1024 * 1024;
    private const BATCH_VISITS = 50;
    private const TIMEOUT_SECONDS = 10.0;
    /** How long batches are begun after a response. PHP's server may be about to stop, and kills its processes after 10 s. */
    private const SENDING_SECONDS = 7.0;
    /** For a request while the instance is down. */
    private const OUTAGE_TIMEOUT_SECONDS = 2.5;
    /** Where the response does not end before the sending: how long batches are begun, how long one may take, how often. */
    private const INLINE_SECONDS = 0.1;
    private const INLINE_TIMEOUT_SECONDS = 1.0;
    private const INLINE_INTERVAL_SECONDS = 1.0;
    private const MAX_RETRY_DELAY_SECONDS = 30.0;
    private const MAX_RETRY_AFTER_SECONDS = 300.0;
    /** How long an instance that did not answer is not asked again while a page waits. */
    private const PAUSE_AFTER_FAILURE_SECONDS = 10;
    /** Visitors whose requests must fail in a row before that: one can't decide it for all. */
    private const MAX_FAILED_VISITORS = 5;
    /** Peers that are proxies of the site. */
    private const PROXY = '/^(?:(?:::ffff:)?(?:10\.|127\.|169\.254\.|172\.(?:1[6-9]|2\d|3[01])\.|192\.168\.)|::1$|f[cd]|fe[89ab])/i';

    private readonly string $url;
    private readonly string $token;
    /** @var list<string> */
    private readonly array $redact;
    /** Where visits wait, as the beginning of the names of files; null where nothing can be written. */
    private ?string $files = null;
    /** Of the project, without its token. */
    private readonly string $name;

    /**
     * @param string $url of the instance; AGENT_TRAFFIC_URL when empty.
     * @param string $token of the project; AGENT_TRAFFIC_TOKEN when empty. Without both, nothing is reported.
     * @param string|null $folder where visits wait; a private one in the system's temporary folder when null.
     * @param list<string> $redact names of headers and parameters, beside those that look like credentials.
     */
    public function __construct(string $url = '', string $token = '', ?string $folder = null, array $redact = [])
    {
        $this->url = rtrim($url !== '' ? $url : (string) getenv('AGENT_TRAFFIC_URL'), '/');
        $this->token = $token !== '' ? $token : (string) getenv('AGENT_TRAFFIC_TOKEN');
        $this->redact = array_map(self::comparable(...), $redact);
        $this->name = substr(hash('sha256', "$this->url\n$this->token"), 0, 16);
        if ($this->isEnabled()) {
            $this->quietly(function () use ($folder): void {
                $folder = self::writable($folder);
                $this->files = $folder === null ? null : "$folder/$this->name";
            });
        }
    }

    public function isEnabled(): bool
    {
        return $this->token !== '' && preg_match('~^https?://~', $this->url) === 1;
    }

    /**
     * Reports the request that is being answered, once its response has ended. Call it first. Clients for the same project
     * report a request once.
     */
    public function report(): void
    {
        $reported = explode(' ', (string) ($_SERVER[self::REPORTED] ?? ''));
        if (in_array($this->name, $reported, true) || !$this->isEnabled() || !isset($_SERVER['REQUEST_METHOD'])) {
            return;
        }
        $_SERVER[self::REPORTED] = trim(implode(' ', [...$reported, $this->name]));
        $request = $this->quietly($this->request(...));
        if ($request === null) {
            return;
        }
        $this->afterAll(fn () => $this->end($request));
    }

    /**
     * Sends the visits that wait, as soon as the instance takes them. Pages do so by themselves; this is for a timer, run by
     * the user that PHP runs as.
     *
     * @return bool whether none is left after this time.
     */
    public function flush(float $seconds = 10.0): bool
    {
        $until = microtime(true) + $seconds;
        while ($this->files !== null && $this->hasVisits()) {
            $left = $until - microtime(true);
            if ($left <= 0) {
                return false;
            }
            $this->quietly(fn () => $this->send($left, min($left, self::TIMEOUT_SECONDS)));
            usleep(100_000);
        }
        return true;
    }

    /**
     * Returns who sent a request: `result`, and if identified `agent_token`, `agent_type_name`, …
     *
     * @param array $requests `request_headers`, and `client_address` (the connection's peer) if known; or a list of up to
     *     1,000 of them, for a list of results.
     * @throws Failure
     */
    public function identify(array $requests, float $timeout = 2.0): array
    {
        return $this->ask('/agent-identifications', $requests, $timeout);
    }

    /**
     * As `identify`, for one request with its `request_path`, which a signature may cover.
     *
     * @throws Failure
     */
    public function verify(array $request, float $timeout = 2.0): array
    {
        return $this->ask('/agent-verifications', $request, $timeout);
    }

    /**
     * Returns robots.txt rules for agents of the types, to append to the site's own. They are kept for a time; then the old
     * ones are returned, and new ones fetched after the response. Until the instance has answered once there are none.
     *
     * @param list<string> $types
     * @param array $options `disallow`, `excluded_agent_tokens`, `excluded_operator_names` and others of POST /robots-txts.
     */
    public function robotsTxt(array $types, array $options = [], int $maxAgeSeconds = 3600): string
    {
        $rules = $this->rules('/robots-txts', ['agent_types' => $types] + $options, $maxAgeSeconds);
        return is_string($rules) ? $rules : '';
    }

    /**
     * Returns the user agent tokens of agents of the types; kept as `robotsTxt`.
     *
     * @param list<string> $types
     * @return list<string>
     */
    public function tokens(array $types, array $options = [], int $maxAgeSeconds = 3600): array
    {
        $rules = $this->rules('/user-agent-token-lists', ['agent_types' => $types] + $options, $maxAgeSeconds);
        return is_array($rules) ? $rules : [];
    }

    /**
     * Answers the present request with 403 (or 402) and ends the script if `refuses` says so.
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
     * Returns whether the present request is of an agent of these types, whose identity is not verified. Waits for the
     * instance; if it does not answer in time, the answer is no. After failures of five visitors without a success in
     * between, it is not asked for 10 seconds. With APCu, an answer holds for a minute for the same User-Agent and address.
     * /robots.txt is for all.
     *
     * @param list<string> $types
     */
    public function refuses(array $types, bool $unlessVerified = true, float $timeout = 0.5): bool
    {
        return $this->isEnabled() && $this->quietly(function () use ($types, $unlessVerified, $timeout): bool {
            $request = $this->request();
            if (explode('?', $request['request_path'])[0] === '/robots.txt') {
                return false;
            }
            $verdict = $this->verdict($request, $timeout);
            return in_array($verdict['agent_type_name'] ?? null, $types, true)
                && !($unlessVerified && $verdict['result'] === 'verified');
        }) === true;
    }

    // --- the request and its response ---

    private function request(): array
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
        // A proxy may be asked with the whole address.
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

    /** Runs a task after what the site registers for its end: that may still print. */
    private function afterAll(callable $task): void
    {
        register_shutdown_function(function () use ($task): void {
            register_shutdown_function(fn () => $this->quietly($task));
        });
    }

    private function end(array $visit): void
    {
        $started = (float) ($_SERVER['REQUEST_TIME_FLOAT'] ?? microtime(true));
        ignore_user_abort(true);
        // A session stays locked until its script ends, and the visitor's next request would wait for it.
        if (session_status() === PHP_SESSION_ACTIVE) {
            session_write_close();
        }
        $isFinished = self::finishResponse();
        $visit['response_status_code'] = http_response_code() ?: 200;
        $visit['response_headers'] = self::responseHeaders();
        $visit['response_duration_in_milliseconds'] = round((microtime(true) - $started) * 1000, 3);
        if (connection_aborted() === 1) {
            $visit['response_aborted'] = true;
        }
        if ($this->files === null) {
            $this->post('/visits', $this->json([$this->redacted($visit)]), [], self::INLINE_TIMEOUT_SECONDS);
            return;
        }
        $this->store($this->json($this->redacted($visit)) . "\n");
        $this->send(
            $isFinished ? self::SENDING_SECONDS : self::INLINE_SECONDS,
            $isFinished ? self::TIMEOUT_SECONDS : self::INLINE_TIMEOUT_SECONDS,
            $isFinished ? 0.0 : self::INLINE_INTERVAL_SECONDS,
        );
    }

    /** Ends the response before the script. @return bool false where PHP's server can't: then it is only sent so far. */
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

    private static function responseHeaders(): array
    {
        $headers = [];
        foreach (headers_list() as $line) {
            [$name, $value] = explode(':', $line, 2) + [1 => ''];
            $name = strtolower($name);
            $headers[$name] = isset($headers[$name]) ? [...(array) $headers[$name], trim($value)] : trim($value);
        }
        // PHP adds it on the way out.
        $type = (string) ini_get('default_mimetype');
        return $headers + ($type === '' ? [] : ['content-type' => $type]);
    }

    // --- visits that wait in files ---

    /** Appends a line to the visits that come. Beyond the bound, the oldest file is dropped. */
    private function store(string $line): void
    {
        $this->locked(function () use ($line): void {
            $coming = "$this->files.visits";
            if (@filesize($coming) > self::MAX_FILE_BYTES) {
                $waiting = "$this->files.waiting";
                if (is_file($waiting)) {
                    self::warn(substr_count((string) file_get_contents($waiting), "\n") . ' visits were dropped: too many wait');
                }
                rename($coming, $waiting);
            }
            file_put_contents($coming, $line, FILE_APPEND);
        });
    }

    /** Sends what waits, unless another process does, or the instance asked for a pause. */
    private function send(float $seconds, float $timeout, float $interval = 0.0): void
    {
        if ($this->files === null) {
            return;
        }
        $until = microtime(true) + $seconds;
        $sender = fopen("$this->files.sender", 'c');
        // Another process may have stored a visit while this one was about to let go: it is looked for again.
        while ($this->hasVisits() && microtime(true) < $until && !$this->isPaused()) {
            if ($sender === false || !flock($sender, LOCK_EX | LOCK_NB)) {
                return;
            }
            try {
                while (microtime(true) < $until && !$this->isPaused() && ($file = $this->next()) !== null) {
                    $this->sendFile($file, $until, $timeout);
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
        return is_file("$this->files.sending") || is_file("$this->files.waiting") || is_file("$this->files.visits");
    }

    /** Returns the file with the oldest visits; nothing is appended to it any more. */
    private function next(): ?string
    {
        return $this->locked(function (): ?string {
            clearstatcache();
            $sending = "$this->files.sending";
            foreach (["$this->files.waiting", "$this->files.visits"] as $file) {
                if (!is_file($sending) && is_file($file)) {
                    // It is of the file before, if a process died between removing that one and this.
                    @unlink("$this->files.sent");
                    rename($file, $sending);
                }
            }
            return is_file($sending) ? $sending : null;
        });
    }

    /**
     * Sends a file's visits in batches, and deletes it. A batch always has the same bytes and the same idempotency key, so
     * that one which was sent by a process that died before it noted so is not recorded twice.
     */
    private function sendFile(string $file, float $until, float $timeout): void
    {
        $lines = fopen($file, 'r');
        $progress = "$this->files.sent";
        fseek($lines, (int) @file_get_contents($progress));
        for (;;) {
            $batch = [];
            while (count($batch) < self::BATCH_VISITS && ($line = fgets($lines)) !== false) {
                // A full disk leaves half a line.
                if (is_array(json_decode($line, true))) {
                    $batch[] = rtrim($line, "\n");
                }
            }
            if ($batch === []) {
                unlink($file);
                @unlink($progress);
                return;
            }
            $attempt = (int) (explode(' ', (string) @file_get_contents("$this->files.pause"))[1] ?? 0);
            $left = max($until - microtime(true), self::INLINE_TIMEOUT_SECONDS);
            try {
                $this->sendBatch($batch, min($timeout, $left, $attempt > 0 ? self::OUTAGE_TIMEOUT_SECONDS : $timeout));
                @unlink("$this->files.pause");
            } catch (Failure $failure) {
                if ($failure->isTransient()) {
                    if ($attempt === 0) {
                        self::warn("visits could not be sent, and will be tried again: {$failure->getMessage()}");
                    }
                    $this->pause(self::delay($attempt, $failure->retryAfter), $attempt + 1);
                    return;
                }
                self::warn(count($batch) . " visits were dropped: {$failure->getMessage()}");
            }
            file_put_contents($progress, (string) ftell($lines), LOCK_EX);
            if (microtime(true) >= $until) {
                return;
            }
        }
    }

    /**
     * @param list<string> $batch visits as JSON.
     * @throws Failure
     */
    private function sendBatch(array $batch, float $timeout): void
    {
        $body = '[' . implode(',', $batch) . ']';
        try {
            $answer = $this->post('/visits', $body, ['Idempotency-Key: ' . hash('sha256', $body)], $timeout);
            $rejected = (int) ($answer['headers']['x-visits-rejected'] ?? 0);
            if ($rejected > 0) {
                self::warn("$rejected visits were rejected");
            }
        } catch (Failure $failure) {
            if ($failure->getCode() !== 413 || count($batch) === 1) {
                throw $failure;
            }
            foreach (array_chunk($batch, intdiv(count($batch) + 1, 2)) as $half) {
                $this->sendBatch($half, $timeout);
            }
        }
    }

    private function isPaused(): bool
    {
        return microtime(true) < (float) @file_get_contents("$this->files.pause");
    }

    private function pause(float $seconds, int $attempts): void
    {
        file_put_contents("$this->files.pause", sprintf('%.3F %d', microtime(true) + $seconds, $attempts), LOCK_EX);
    }

    /** Seconds before the next attempt. */
    private static function delay(int $attempt, ?float $retryAfter): float
    {
        $random = mt_rand() / mt_getrandmax();
        return $retryAfter !== null
            ? min($retryAfter, self::MAX_RETRY_AFTER_SECONDS) * (1 + $random / 4)
            : min(self::MAX_RETRY_DELAY_SECONDS, 0.5 * 2 ** min($attempt, 10)) * (0.75 + $random / 2);
    }

    private function locked(callable $task): mixed
    {
        $lock = fopen("$this->files.lock", 'c');
        flock($lock, LOCK_EX);
        try {
            return $task();
        } finally {
            flock($lock, LOCK_UN);
            fclose($lock);
        }
    }

    /** Returns a folder that only this user reads, or null: visits have people's addresses. */
    private static function writable(?string $folder): ?string
    {
        if ($folder === null) {
            $user = function_exists('posix_geteuid') ? posix_geteuid() : get_current_user();
            $folder = sys_get_temp_dir() . "/agent-traffic-$user";
            @mkdir($folder, 0700);
            $isPrivate = DIRECTORY_SEPARATOR === '\\' || (@fileperms($folder) & 0077) === 0;
            // Somebody else may have made it, which root, who may write everywhere, would not notice.
            $isOwn = !is_int($user) || @fileowner($folder) === $user;
            if (is_link($folder) || !$isPrivate || !$isOwn) {
                return null;
            }
        }
        return is_dir($folder) && is_writable($folder) ? $folder : null;
    }

    // --- what the instance is asked ---

    private function ask(string $path, array $body, float $timeout): array
    {
        $headers = ['Agent-Traffic-Timeout-Ms: ' . (int) round($timeout * 1000)];
        $answer = json_decode($this->post($path, $this->json($body), $headers, $timeout)['body'], true);
        return is_array($answer) ? $answer : throw new Failure("$this->url did not answer with JSON", 200);
    }

    private function verdict(array $request, float $timeout): array
    {
        $headers = $this->redactedHeaders($request['request_headers']);
        $request['request_headers'] = (object) $headers;
        $request['request_path'] = substr($request['request_path'], 0, self::MAX_PATH_LENGTH);
        $key = null;
        // Each signed request has to be judged.
        if (!isset($headers['signature']) && function_exists('apcu_enabled') && apcu_enabled()) {
            $identity = array_filter(
                $headers,
                fn ($name) => preg_match(self::IDENTITY, (string) $name) === 1,
                ARRAY_FILTER_USE_KEY,
            );
            $identity = $this->json([$identity, $request['client_address'] ?? null]);
            $key = 'agent-traffic-' . hash('sha256', "$this->url $this->token $identity");
            $known = apcu_fetch($key);
            if (is_array($known)) {
                return $known;
            }
        }
        if ($this->files !== null && @filemtime("$this->files.failed") > time() - self::PAUSE_AFTER_FAILURE_SECONDS) {
            return ['result' => 'unknown_agent'];
        }
        $started = microtime(true);
        try {
            $verdict = $this->verify($request, $timeout);
            $this->forgetFailures();
        } catch (Failure $failure) {
            // Any other status is about this request.
            if ($failure->getCode() === 0 || $failure->getCode() >= 500) {
                $this->noteFailure(self::visitor($headers, $request['client_address'] ?? ''));
            }
            throw $failure;
        }
        // The instance may still be looking up what it could not find out in time.
        $isFinal = $verdict['result'] !== 'not_verifiable' || microtime(true) - $started < $timeout / 2;
        if ($key !== null && $isFinal) {
            apcu_store($key, $verdict, 60);
        }
        return $verdict;
    }

    private function noteFailure(string $visitor): void
    {
        if ($this->files === null) {
            return;
        }
        $this->locked(function () use ($visitor): void {
            $file = "$this->files.failing";
            $visitors = @file($file, FILE_IGNORE_NEW_LINES) ?: [];
            if (count($visitors) < self::MAX_FAILED_VISITORS && !in_array($visitor, $visitors, true)) {
                $visitors[] = $visitor;
                file_put_contents($file, "$visitor\n", FILE_APPEND);
            }
            if (count($visitors) === self::MAX_FAILED_VISITORS) {
                touch("$this->files.failed");
            }
        });
    }

    private function forgetFailures(): void
    {
        if ($this->files !== null && is_file("$this->files.failing")) {
            $this->locked(fn () => @unlink("$this->files.failing"));
        }
    }

    /**
     * Returns a hash of something that a visitor can't choose freely: the peer, or the address that the nearest proxy added;
     * of IPv6 addresses the /48. Without any address it's the user agent.
     */
    private static function visitor(array $headers, string $peer): string
    {
        if ($peer === '' || preg_match(self::PROXY, $peer) === 1) {
            $forwarded = $headers['x-forwarded-for'] ?? $headers['forwarded'] ?? $headers['x-real-ip'] ?? '';
            $peer = trim(substr(strrchr(",$forwarded", ','), 1));
        }
        $bytes = @inet_pton($peer);
        $network = is_string($bytes) && strlen($bytes) === 16 ? substr($bytes, 0, 6) : $peer;
        return hash('sha256', $network !== '' ? $network : (string) ($headers['user-agent'] ?? ''));
    }

    private function rules(string $path, array $body, int $maxAgeSeconds): mixed
    {
        return !$this->isEnabled() ? null : $this->quietly(function () use ($path, $body, $maxAgeSeconds): mixed {
            $json = $this->json($body);
            $file = $this->files === null ? null : "$this->files." . substr(hash('sha256', "$path $json"), 0, 16) . '.rules';
            $known = $file === null ? null : json_decode((string) @file_get_contents($file), true);
            $fetch = function () use ($path, $json, $file, $known): mixed {
                // Noted before: others don't try at the same time.
                self::replace($file, ['tried_at' => time()] + ($known ?? []));
                $body = $this->post($path, $json, [], 2.0)['body'];
                $value = $path === '/robots-txts' ? $body : json_decode($body, true);
                self::replace($file, ['fetched_at' => time(), 'value' => $value]);
                return $value;
            };
            $value = $known['value'] ?? null;
            $isFresh = ($known['fetched_at'] ?? 0) > time() - $maxAgeSeconds;
            if ($isFresh || ($known['tried_at'] ?? 0) > time() - self::PAUSE_AFTER_FAILURE_SECONDS) {
                return $value;
            }
            if ($value === null) {
                return $fetch();
            }
            $this->afterAll(function () use ($fetch): void {
                self::finishResponse();
                $fetch();
            });
            return $value;
        });
    }

    private static function replace(?string $file, array $content): void
    {
        if ($file === null) {
            return;
        }
        $new = "$file." . bin2hex(random_bytes(4));
        file_put_contents($new, json_encode($content, JSON_INVALID_UTF8_SUBSTITUTE));
        rename($new, $file);
    }

    /**
     * @param list<string> $headers
     * @return array{headers: array<string, string>, body: string} of a 2xx answer.
     * @throws Failure
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
        [$lines, $answer] = function_exists('curl_init')
            ? self::postByCurl($this->url . $path, $body, $headers, $timeout)
            : self::postByStream($this->url . $path, $body, $headers, $timeout);
        $status = 0;
        $answered = [];
        foreach ($lines as $line) {
            if (preg_match('~^HTTP/\S+ (\d{3})~', $line, $match)) {
                [$status, $answered] = [(int) $match[1], []]; // after 100 Continue comes another
            } elseif (str_contains($line, ':')) {
                [$name, $value] = explode(':', $line, 2);
                $answered[strtolower($name)] = trim($value);
            }
        }
        if ($status < 200 || $status > 299) {
            $after = $answered['retry-after'] ?? '';
            $message = $status === 0 ? "no answer from $this->url" : "$status " . substr($answer, 0, 500);
            throw new Failure($message, $status, preg_match('/^\d{1,6}$/', $after) ? (float) $after : null);
        }
        return ['headers' => $answered, 'body' => $answer];
    }

    /** @return array{list<string>, string} lines of the head, and the body. */
    private static function postByCurl(string $url, string $body, array $headers, float $timeout): array
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
        $answer = curl_exec($curl);
        return is_string($answer) ? [$lines, $answer] : [[], ''];
    }

    /** @return array{list<string>, string} lines of the head, and the body. */
    private static function postByStream(string $url, string $body, array $headers, float $timeout): array
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
        $answer = (string) stream_get_contents($stream);
        $head = stream_get_meta_data($stream);
        fclose($stream);
        return $head['timed_out'] ? [[], ''] : [$head['wrapper_data'], $answer];
    }

    // --- credentials, which don't leave the site ---

    // The rule for names is the one the instance applies. It looks at values, too, before it stores anything.
    private const HARMLESS = [
        'signature', 'signature-input', 'signature-agent', 'accept-signature', ':authority', 'authority',
        'sec-websocket-key', 'sec-websocket-accept', 'idempotency-key', 'surrogate-key', 'cache-key', 'www-authenticate',
        'proxy-authenticate', 'access-control-allow-credentials',
    ];
    private const PAYMENT = ['cvc', 'cvc2', 'cvv', 'cvv2', 'pan', 'card-number', 'cardnumber', 'iban'];
    private const FRAGMENT = '/token|secret|session|sess-?id|passw|passc|passphrase|pwd|credential|cookie|signature|jwt|saml|'
        . 'bearer|assertion|verifier|ticket|otp-?code|api-?key|private-?key|access-?key|auth|hmac|'
        . 'magic-?link|captcha|turnstile|macaroon|unsubscribe/';
    private const AUTHOR = '/author(?:s|ed|ity|ities|name|id)?(?:[^a-z]|$)/';
    private const WORD = '/(?:^|[^a-z])(?:pin|sid|sig|nonce|csrf|xsrf|mfa|[2t]fa|tkn|pw|psw|psk|creds?|one-?time[a-z]*|'
        . 'cf-?id)(?:[^a-z]|$)|(?:keys?|pass|otp)(?:[^a-z]|$)/';
    /** Codes and links that are sent to one person for one use. */
    private const ONE_TIME = '/(?:access|log-?in|sign-?in|sign-?up|verify|verification|confirm|confirmation|reset|recovery|'
        . 'backup|invite|invitation|activation|device|user|sms|mail|security|mfa|[2t]fa|pairing|oob|magic|'
        . 'unlock|approval|registration|enroll?ment|challenge|one-?time)-?code|(?:reset|invite|invitation|'
        . 'verify|verification|confirm|confirmation|activate|activation)-?(?:link|hash|ur[il])/';
    private const ONE_TIME_PARAMETER = '/invite|invitation|magic|verify|verification|unsub|activation|confirmation|(?:^|[^a-z])reset|'
        . '(?:^|[^a-z])(?:confirm|activate|opt-?out|hashed|oob|otc|otac|ott|totp|tok|tk|rt-tk|sess|'
        . 'sso)(?:[^a-z]|$)|hash(?:[^a-z]|$)/';
    private const PARAMETERS = [
        'code', 'state', 'relaystate', 'oauth-state', 'wresult', 'wctx', 'signature', 'sign', 'hdnts', 'hdnea', 'hdntl',
        '--gda--',
    ];

    private function redacted(array $visit): array
    {
        foreach (['request_headers', 'response_headers'] as $field) {
            $headers = $this->redactedHeaders($visit[$field]);
            foreach ($headers as $name => $value) {
                // Headers of RFC 9421: with another value, a signature would not verify.
                if (!preg_match('/^(?:signature(?:-input|-agent)?|content-digest)$/i', (string) $name)) {
                    $headers[$name] = is_array($value)
                        ? array_map($this->withoutParameters(...), $value)
                        : $this->withoutParameters($value);
                }
            }
            $visit[$field] = (object) $headers;
        }
        $visit['request_path'] = substr($this->withoutParameters($visit['request_path']), 0, self::MAX_PATH_LENGTH);
        $visit['request_method'] = substr($visit['request_method'], 0, self::MAX_METHOD_LENGTH);
        return $visit;
    }

    /** Returns headers without credentials, within the limits. */
    private function redactedHeaders(array $headers): array
    {
        if (count($headers) > self::MAX_HEADERS) {
            $isIdentity = fn ($name): bool => preg_match(self::IDENTITY, (string) $name) === 1;
            $headers = array_filter($headers, $isIdentity, ARRAY_FILTER_USE_KEY) + $headers;
            $headers = array_slice($headers, 0, self::MAX_HEADERS, true);
        }
        foreach ($headers as $name => $value) {
            $headers[$name] = match (true) {
                $this->isSecret((string) $name) => '[redacted]',
                is_array($value) => array_map(self::cut(...), array_slice($value, 0, self::MAX_HEADERS)),
                default => self::cut($value),
            };
        }
        return $headers;
    }

    private static function cut(string $value): string
    {
        return substr($value, 0, self::MAX_HEADER_LENGTH);
    }

    private function withoutParameters(string $text): string
    {
        return preg_replace_callback('/(?<=[?&;#])([^=&;#?]*)=([^&;#]*)/', function (array $match): string {
            $name = urldecode($match[1]);
            $isSecret = self::isCredentialParameter($name) || $this->isSecret($name);
            return $isSecret ? "$match[1]=[redacted]" : $match[0];
        }, $text) ?? '[redacted]';
    }

    private function isSecret(string $name): bool
    {
        return self::isCredentialName($name) || in_array(self::comparable($name), $this->redact, true);
    }

    /** Returns whether the values of headers and parameters with this name are taken for credentials. */
    public static function isCredentialName(string $name): bool
    {
        $plain = self::comparable($name);
        if (in_array($plain, self::HARMLESS, true)) {
            return false;
        }
        $rest = preg_replace(self::AUTHOR, '-', $plain);
        return in_array($plain, self::PAYMENT, true)
            || preg_match(self::FRAGMENT, $rest)
            || preg_match(self::WORD, $rest)
            || preg_match(self::ONE_TIME, $rest)
            || preg_match(self::WORD, self::separated($name));
    }

    /** Returns whether the values of parameters with this name are taken for credentials, though not those of headers. */
    public static function isCredentialParameter(string $name): bool
    {
        $plain = self::comparable($name);
        return in_array($plain, self::PARAMETERS, true)
            || preg_match(self::ONE_TIME_PARAMETER, $plain)
            || preg_match(self::ONE_TIME_PARAMETER, self::separated($name));
    }

    private static function separated(string $name): string
    {
        return self::comparable(preg_replace('/([a-z0-9])([A-Z])/', '$1-$2', $name));
    }

    private static function comparable(string $name): string
    {
        return strtr(strtolower(trim($name)), '_ ', '--');
    }

    // --- faults ---

    /** Keeps faults out of the site, also from handlers that make exceptions of warnings. @return mixed null after one. */
    private function quietly(callable $task): mixed
    {
        set_error_handler(static fn (): bool => true);
        try {
            return $task();
        } catch (\Throwable $fault) {
            self::warn($fault->getMessage());
            return null;
        } finally {
            restore_error_handler();
        }
    }

    private static function warn(string $message): void
    {
        error_log("Agent Traffic: $message");
    }

    private function json(array $value): string
    {
        return json_encode($value, JSON_INVALID_UTF8_SUBSTITUTE | JSON_UNESCAPED_SLASHES | JSON_THROW_ON_ERROR);
    }
}
