<?php

if (defined('WP_UNINSTALL_PLUGIN')) {
    delete_option('agent_traffic');
}
