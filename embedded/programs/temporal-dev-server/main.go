// A Temporal server on one SQLite file: the start-dev command of the Temporal CLI with the flags this project uses.
// The CLI cannot be had by `go install` (its go.mod replaces modules), so this is built where its binary cannot be downloaded.
package main

import (
	"bufio"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/signal"
	"strings"
	"syscall"
	_ "time/tzdata" // schedules name time zones, and the machine may have none

	"github.com/google/uuid"
	"github.com/temporalio/cli/internal/devserver"
	ui "github.com/temporalio/ui-server/v2/server/version"
	"go.temporal.io/api/enums/v1"
	"go.temporal.io/server/common/headers"
)

// pairs collects a repeated Key=Value flag.
type pairs map[string]string

func (p pairs) String() string { return "" }

func (p pairs) Set(pair string) error {
	key, value, found := strings.Cut(pair, "=")
	if !found {
		return fmt.Errorf("%q is not Key=Value", pair)
	}
	p[key] = value
	return nil
}

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) == 1 && args[0] == "--version" {
		// The CLI's own wording: callers read the server version out of it, and whether the UI keeps strangers out.
		fmt.Printf("temporal dev server (Server %s, guarded UI %s)\n", headers.ServerVersion, ui.UIVersion)
		return nil
	}
	if len(args) < 2 || args[0] != "server" || args[1] != "start-dev" {
		return fmt.Errorf("usage: %s --version | server start-dev [flags]", os.Args[0])
	}
	options, pages, err := parse(args[2:], os.Stdin)
	if err != nil {
		return err
	}
	if pages != nil {
		if err := pages.serve(options); err != nil {
			return fmt.Errorf("failed starting UI: %w", err)
		}
	}
	stop := make(chan os.Signal, 1)
	signal.Notify(stop, syscall.SIGINT, syscall.SIGTERM) // before the start: it answers before it has returned
	server, err := devserver.Start(options)
	if err != nil {
		return fmt.Errorf("failed starting server: %w", err)
	}
	<-stop
	server.SuppressWarnings()
	server.Stop()
	return nil
}

// parse reads the flags, and the UI's secret from the first line of input, because other users can read the arguments of a process.
func parse(args []string, input io.Reader) (devserver.StartOptions, *pages, error) {
	pragmas, attributes, dynamic := pairs{}, pairs{}, pairs{}
	flags := flag.NewFlagSet("start-dev", flag.ContinueOnError)
	ip := flags.String("ip", "127.0.0.1", "address to listen on")
	port := flags.Int("port", 7233, "gRPC port")
	uiPort := flags.Int("ui-port", 0, "UI port, whose secret is the first line of standard input")
	uiWrites := flags.Bool("ui-writes", false, "the UI may change workflows")
	headless := flags.Bool("headless", false, "no UI")
	file := flags.String("db-filename", "", "SQLite file; in memory when empty")
	level := flags.String("log-level", "warn", "debug, info, warn, error")
	flags.Var(pragmas, "sqlite-pragma", "Key=Value, repeated")
	flags.Var(attributes, "search-attribute", "Key=Type, repeated")
	flags.Var(dynamic, "dynamic-config-value", "Key=JSON, repeated")
	if err := flags.Parse(args); err != nil {
		return devserver.StartOptions{}, nil, err
	}

	// Without the devserver's own UI, which answers anybody, and without its metrics port, which does so too.
	options := devserver.StartOptions{
		FrontendIP:             *ip,
		FrontendPort:           *port,
		DatabaseFile:           *file,
		SqlitePragmas:          pragmas,
		Namespaces:             []string{"default"},
		ClusterID:              uuid.NewString(),
		MasterClusterName:      "active",
		CurrentClusterName:     "active",
		InitialFailoverVersion: 1,
	}
	if err := options.LogLevel.UnmarshalText([]byte(*level)); err != nil {
		return options, nil, err
	}
	options.Logger = slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: options.LogLevel}))
	var err error
	if options.SearchAttributes, err = searchAttributes(attributes); err != nil {
		return options, nil, err
	}
	if options.DynamicConfigValues, err = dynamicConfig(dynamic); err != nil || *headless {
		return options, nil, err
	}
	secret, err := bufio.NewReader(input).ReadString('\n')
	if err != nil {
		return options, nil, fmt.Errorf("the UI needs a secret, as the first line of standard input: %w", err)
	}
	return options, &pages{port: *uiPort, secret: strings.TrimSpace(secret), writes: *uiWrites}, nil
}

func searchAttributes(given pairs) (map[string]enums.IndexedValueType, error) {
	attributes := map[string]enums.IndexedValueType{}
	for name, text := range given {
		kind, err := enums.IndexedValueTypeFromString(text)
		if err != nil {
			return nil, fmt.Errorf("search attribute %s: %w", name, err)
		}
		attributes[name] = kind
	}
	return attributes, nil
}

// dynamicConfig starts from the CLI's defaults: search attributes are visible at once, and the quotas that this costs.
func dynamicConfig(given pairs) (map[string]any, error) {
	values := map[string]any{
		"system.forceSearchAttributesCacheRefreshOnRead": true,
		"system.forceNexusEndpointRefreshOnRead":         true,
		"frontend.persistenceMaxQPS":                     10000,
		"history.persistenceMaxQPS":                      45000,
	}
	for key, text := range given {
		var value any
		if err := json.Unmarshal([]byte(text), &value); err != nil {
			return nil, fmt.Errorf("dynamic config %s: %w", key, err)
		}
		// The server takes whole numbers as int only, JSON gives float64.
		if number, ok := value.(float64); ok && number == float64(int(number)) {
			value = int(number)
		}
		values[key] = value
	}
	return values, nil
}
