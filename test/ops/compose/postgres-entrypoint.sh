#!/bin/sh
# What the entrypoint of the image `postgres` does that docker-compose.yml relies on: it makes the cluster and its first user.
set -eu
if [ ! -e "$PGDATA/PG_VERSION" ]; then
  initdb --username="$POSTGRES_USER" --pwfile="$POSTGRES_PASSWORD_FILE" --auth-host=scram-sha-256 --auth-local=trust > /dev/null
  echo "host all all all scram-sha-256" >> "$PGDATA/pg_hba.conf"
fi
exec "$@" -c listen_addresses='*'
