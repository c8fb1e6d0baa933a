#!/bin/sh
# The time-skipping server of the Temporal Java SDK. Its one argument is the port; it knows no --version itself.
cd "$(dirname "$0")" || exit 1
if [ "$1" = --version ]; then
  java -version 2>/dev/null && basename lib/temporal-test-server-*.jar .jar
  exit
fi
# The order of the jars is part of what the class archive is checked against. exec: the caller ends the process it started.
# Standard error holds nothing but the complaint that no logger is bound.
jars=$(ls lib/*.jar | LC_ALL=C sort | tr '\n' ':')
exec java -Xmx256m -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -Xshare:auto -XX:SharedArchiveFile=classes.jsa \
  -cp "$jars" io.temporal.testserver.TestServer "$@" 2>/dev/null
