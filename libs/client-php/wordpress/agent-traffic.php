<?php

/**
 * Plugin Name: Agent Traffic
 * Description: Reports visits to your Agent Traffic instance, which shows the AI agents and bots that visit your site and verifies who they are. Can add robots.txt rules and block unverified agents.
 * Version: 0.1.0
 * Requires at least: 6.1
 * Requires PHP: 8.1
 * License: Apache-2.0
 * Text Domain: agent-traffic
 */

declare(strict_types=1);

namespace AgentTraffic\WordPress;

use AgentTraffic\Client;

if (!defined('ABSPATH')) {
    exit;
}

// Installed plugins contain the client. In the repository, it's in the parent folder.
require_once is_file(__DIR__ . '/AgentTraffic.php') ? __DIR__ . '/AgentTraffic.php' : dirname(__DIR__) . '/AgentTraffic.php';

const OPTION = 'agent_traffic';
const TYPES = [
    'AI Agent', 'AI Assistant', 'AI Coding Agent', 'AI Data Provider', 'AI Data Scraper', 'AI Search Crawler', 'Archiver',
    'Developer Helper', 'Fetcher', 'Automated Agent', 'Intelligence Gatherer', 'Scraper', 'SEO Crawler',
    'Search Engine Crawler', 'Security Scanner', 'Undocumented AI Agent', 'Uncategorized',
];
/** Settings that contain a list of agent types, with their labels. */
const LISTS = [
    'disallowed' => 'Disallow in robots.txt',
    'blocked' => 'Block with 403 unless verified',
];

/** Returns a setting. AGENT_TRAFFIC_URL and AGENT_TRAFFIC_TOKEN in wp-config.php override the settings page. */
function setting(string $name): mixed
{
    $constant = 'AGENT_TRAFFIC_' . strtoupper($name);
    $options = get_option(OPTION);
    return defined($constant) ? constant($constant) : (is_array($options) ? $options[$name] ?? null : null);
}

/** Returns the agent types selected in a list. Ignores unknown types. */
function types(string $list): array
{
    $types = setting($list);
    return is_array($types) ? array_values(array_intersect(TYPES, $types)) : [];
}

function client(): Client
{
    static $client = null;
    return $client ??= new Client((string) setting('url'), (string) setting('token'));
}

// WordPress runs scheduled tasks by sending a request to itself, which isn't a visit.
if (!wp_doing_cron()) {
    client()->report();
    // Never block the sign-in page, the admin pages or signed-in users, so administrators can't lock themselves out.
    add_action('init', function (): void {
        if (types('blocked') !== [] && !is_admin() && !is_user_logged_in() && ($GLOBALS['pagenow'] ?? '') !== 'wp-login.php') {
            client()->block(types('blocked'));
        }
    }, 1);
}

add_filter('robots_txt', function (string $text, bool|int|string $isPublic): string {
    $types = types('disallowed');
    $rules = $types === [] || !$isPublic ? '' : client()->robotsTxt($types);
    return $rules === '' ? $text : rtrim($text) . "\n\n$rules";
}, 20, 2);

add_action('admin_init', function (): void {
    register_setting(OPTION, OPTION, [
        'type' => 'array',
        'sanitize_callback' => function (mixed $input): array {
            $input = is_array($input) ? $input : [];
            $list = fn (string $name): array => array_values(array_intersect(TYPES, (array) ($input[$name] ?? [])));
            // The form doesn't contain the saved token, so an empty field leaves it unchanged.
            $token = sanitize_text_field((string) ($input['token'] ?? ''));
            return [
                'url' => esc_url_raw(rtrim((string) ($input['url'] ?? ''), '/'), ['http', 'https']),
                'token' => $token !== '' ? $token : (string) (get_option(OPTION)['token'] ?? ''),
            ] + array_combine(array_keys(LISTS), array_map($list, array_keys(LISTS)));
        },
    ]);
});

add_action('admin_menu', function (): void {
    add_options_page('Agent Traffic', 'Agent Traffic', 'manage_options', 'agent-traffic', print_settings_page(...));
});

function print_settings_page(): void
{
    if (!current_user_can('manage_options')) {
        return;
    }
    ?>
    <div class="wrap">
        <h1>Agent Traffic</h1>
        <?php if (!client()->isEnabled()) : ?>
            <p>Enter your instance's URL and the project's access token. Until then, no visits are reported.</p>
        <?php endif; ?>
        <form method="post" action="options.php">
            <?php settings_fields(OPTION); ?>
            <table class="form-table" role="presentation">
                <tr>
                    <th scope="row"><label for="agent-traffic-url">Instance URL</label></th>
                    <td><?php print_field('url', 'url', (string) setting('url'), 'https://traffic.example.com'); ?></td>
                </tr>
                <tr>
                    <th scope="row"><label for="agent-traffic-token">Access token</label></th>
                    <td><?php print_field('token', 'password', '', setting('token') ? 'Saved. Enter a new token to replace it.' : 'agt_…'); ?></td>
                </tr>
                <?php foreach (LISTS as $list => $title) : ?>
                    <tr>
                        <th scope="row"><?php echo esc_html($title); ?></th>
                        <td><fieldset>
                            <legend class="screen-reader-text"><?php echo esc_html($title); ?></legend>
                            <?php foreach (TYPES as $type) : ?>
                                <label>
                                    <input type="checkbox" name="<?php echo esc_attr(OPTION . "[$list][]"); ?>"
                                        value="<?php echo esc_attr($type); ?>" <?php checked(in_array($type, types($list), true)); ?>>
                                    <?php echo esc_html($type); ?>
                                </label><br>
                            <?php endforeach; ?>
                        </fieldset></td>
                    </tr>
                <?php endforeach; ?>
            </table>
            <?php submit_button(); ?>
        </form>
    </div>
    <?php
}

function print_field(string $name, string $type, string $value, string $placeholder): void
{
    printf(
        '<input id="agent-traffic-%1$s" name="%2$s[%1$s]" type="%3$s" value="%4$s" placeholder="%5$s" class="regular-text" autocomplete="off" %6$s>',
        esc_attr($name),
        esc_attr(OPTION),
        esc_attr($type),
        esc_attr($value),
        esc_attr($placeholder),
        defined('AGENT_TRAFFIC_' . strtoupper($name)) ? 'disabled' : '',
    );
}
