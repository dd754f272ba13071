#!/bin/bash
# Replicates the official images' entrypoints with Debian packages, for the settings in docker-compose.yml.
set -eu

postgres_server() {
  local data=/var/lib/postgresql/15/data
  if [ ! -e "$data" ]; then
    rm -rf "$data.new" && mkdir -p "${data%/*}"
    initdb -D "$data.new" -U "$POSTGRES_USER" --pwfile="$POSTGRES_PASSWORD_FILE" -A scram-sha-256 -E UTF8 --locale=C
    echo 'host all all all scram-sha-256' >>"$data.new/pg_hba.conf"
    echo "CREATE DATABASE $POSTGRES_DB" | postgres --single -D "$data.new" postgres
    mv "$data.new" "$data"
  fi
  exec "$@" -D "$data" -c listen_addresses='*' -c unix_socket_directories=/tmp
}

kafka_server() {
  local properties=/opt/kafka/config/server.properties name
  for name in ${!KAFKA_*}; do
    case $name in KAFKA_OPTS | KAFKA_HEAP_OPTS) continue ;; esac
    # KAFKA_A_B sets the property a.b.
    echo "$(echo "${name#KAFKA_}" | tr '[:upper:]_' '[:lower:].')=${!name}"
  done >"$properties"
  local java
  read -ra java <<<"java $KAFKA_HEAP_OPTS $KAFKA_OPTS -Dorg.slf4j.simpleLogger.defaultLogLevel=warn"
  java+=(-cp '/opt/kafka/libs/*')
  "${java[@]}" kafka.tools.StorageTool format --ignore-formatted -t "$CLUSTER_ID" -c "$properties"
  exec "${java[@]}" kafka.Kafka "$properties"
}

# Debian's nginx doesn't support `resolve` in upstreams. With a variable in `proxy_pass`, it also re-resolves names.
nginx_server() {
  export NGINX_LOCAL_RESOLVERS='' server
  # podman runs a DNS server for each network, and nginx uses any of them. List only those that resolve the services.
  local knows="const resolver = new (require('dns').promises.Resolver)({ timeout: 2000, tries: 3 });
    resolver.setServers([process.argv[1]]); resolver.resolve4('gateway').catch(() => process.exit(1))"
  for server in $(awk '/^nameserver/ { print $2 }' /etc/resolv.conf); do
    if node -e "$knows" "$server"; then NGINX_LOCAL_RESOLVERS+="$server "; fi
  done
  # shellcheck disable=SC2016
  envsubst '$LISTEN $NGINX_LOCAL_RESOLVERS' </etc/nginx/templates/default.conf.template |
    sed -e '/^upstream /,/^}/d' \
      -e "s|proxy_pass http://gateway;|set \$upstream ${GATEWAY% resolve}; proxy_pass http://\$upstream;|" \
      -e "s|proxy_pass http://console;|set \$upstream ${CONSOLE% resolve}; proxy_pass http://\$upstream;|" \
      >/etc/nginx/conf.d/default.conf
  exec nginx -e stderr -c /etc/nginx/stand-in.conf
}

case "${1:-}" in
  postgres) postgres_server "$@" ;;
  # By default, Debian's Redis only accepts connections from localhost.
  redis-server) exec "$@" --protected-mode no --bind '*' ;;
esac
if [ -n "${CLUSTER_ID:-}" ]; then kafka_server; fi
if [ -n "${LISTEN:-}" ]; then nginx_server; fi
exec "$@"
