#!/bin/sh
# Makes the secrets of docker-compose.yml in the folder secrets/, each once: what is there already stays as it is. Keep a copy of the folder
# elsewhere. Without secret-key no password of a mailbox can be opened again.
set -eu
folder="${1:-secrets}"
mkdir -p "$folder"
# Others on this machine are kept out by the folder. The files themselves must be readable for the users of the containers.
chmod 700 "$folder"

# make <name> <command that prints it>
make() {
  file="$folder/$1"
  shift
  [ -s "$file" ] && return
  "$@" > "$file.part"
  chmod 444 "$file.part"
  mv "$file.part" "$file"
  echo "made $file"
}

make secret-key openssl rand -base64 32
make mongo-root-password openssl rand -hex 32
make mongo-keyfile openssl rand -hex 32
make mongo-password openssl rand -hex 32
make postgres-password openssl rand -hex 32
make mongodb-uri echo "mongodb://outreach:$(cat "$folder/mongo-password")@mongo:27017/outreach?replicaSet=rs0"
