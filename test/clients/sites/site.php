<?php

// Test site for PHP servers, which route every path to this script.

use AgentTraffic\Client;

require getenv('AGENT_TRAFFIC_CLIENT');

$client = new Client();
$client->report();
$path = parse_url($_SERVER['REQUEST_URI'], PHP_URL_PATH);
$endsWith = fn (string $suffix): bool => str_ends_with($path, $suffix);

if (str_contains($path, '/guarded')) {
    $client->block(['AI Data Scraper'], status: 402);
}
header('Content-Type: text/plain');
header('Set-Cookie: a=b');
if ($endsWith('/broken')) {
    throw new RuntimeException('broken');
}
if ($endsWith('/tea')) {
    http_response_code(418);
}
while ($endsWith('/endless')) {
    echo str_repeat('more', 10_000);
    flush();
    usleep(1_000);
}
if ($endsWith('/session')) {
    session_start();
}
$request = ['request_headers' => ['user-agent' => 'GPTBot/1.2'], 'client_address' => '192.0.2.1'];
echo match (true) {
    $endsWith('/robots.txt') => $client->robotsTxt(['AI Data Scraper']),
    $endsWith('/tokens') => json_encode($client->tokens(['AI Data Scraper'])),
    $endsWith('/identify') => json_encode($client->identify($request)),
    default => 'page',
};
