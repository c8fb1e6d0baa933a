#!/bin/sh
# What the entrypoint of the image `mongo` does that docker-compose.yml relies on: it makes the first user before others can connect.
set -eu
if [ ! -e /data/db/WiredTiger ]; then
  mongod --dbpath /data/db --bind_ip 127.0.0.1 --port 27018 --nounixsocket --fork --logpath /tmp/first.log > /dev/null
  ROOT_PASSWORD="$(cat "$MONGO_INITDB_ROOT_PASSWORD_FILE")" mongosh --quiet --port 27018 --eval '
    db.getSiblingDB("admin").createUser({ user: process.env.MONGO_INITDB_ROOT_USERNAME, pwd: process.env.ROOT_PASSWORD, roles: ["root"] });
    db.adminCommand({ shutdown: 1 })' > /dev/null || true
  while [ -s /data/db/mongod.lock ]; do sleep 0.2; done
fi
exec "$@"
