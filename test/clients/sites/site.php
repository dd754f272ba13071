<?php

// A site of the tests, for any PHP server: every path leads here.

use AgentTraffic\Client;

require getenv('AGENT_TRAFFIC_CLIENT');

$client = new Client();
$client->report();
$path = parse_url($_SERVER['REQUEST_URI'], PHP_URL_PATH);
$ends = fn (string $end): bool => str_ends_with($path, $end);

if (str_contains($path, '/guarded')) {
    $client->block(['AI Data Scraper'], status: 402);
}
header('Content-Type: text/plain');
header('Set-Cookie: a=b');
if ($ends('/broken')) {
    throw new RuntimeException('broken');
}
if ($ends('/tea')) {
    http_response_code(418);
}
while ($ends('/endless')) {
    echo str_repeat('more', 10_000);
    flush();
    usleep(1_000);
}
if ($ends('/session')) {
    session_start();
}
$request = ['request_headers' => ['user-agent' => 'GPTBot/1.2'], 'client_address' => '192.0.2.1'];
echo match (true) {
    $ends('/robots.txt') => $client->robotsTxt(['AI Data Scraper']),
    $ends('/tokens') => json_encode($client->tokens(['AI Data Scraper'])),
    $ends('/identify') => json_encode($client->identify($request)),
    default => 'page',
};
