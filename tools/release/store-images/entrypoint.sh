#!/bin/sh
# Stands for the entry points of the official images, which tests cannot fetch: the one of PostgreSQL makes its database.
set -eu
[ "$1" = postgres ] || exec "$@"
shift
data=/var/lib/postgresql/data
as_postgres() { setpriv --reuid=postgres --regid=postgres --clear-groups "$@"; }
mkdir -p "$data" /var/run/postgresql
chown postgres:postgres "$data" /var/run/postgresql
chmod 700 "$data"
if [ ! -e "$data/PG_VERSION" ]; then
  (umask 077 && printf %s "$POSTGRES_PASSWORD" > /tmp/password)
  chown postgres /tmp/password
  as_postgres initdb --pgdata="$data" --username="$POSTGRES_USER" --pwfile=/tmp/password \
    --encoding=UTF8 --locale=C.UTF-8 --auth-local=trust --auth-host=scram-sha-256
  rm /tmp/password
  echo 'host all all all scram-sha-256' >> "$data/pg_hba.conf"
  echo "CREATE DATABASE $POSTGRES_DB" | as_postgres postgres --single -D "$data" postgres
fi
exec setpriv --reuid=postgres --regid=postgres --clear-groups postgres -D "$data" -c listen_addresses='*' "$@"
