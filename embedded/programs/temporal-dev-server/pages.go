package main

import (
	"crypto/subtle"
	"fmt"
	"io/fs"
	"net"
	"net/http"

	"github.com/labstack/echo/v4"
	"github.com/temporalio/cli/internal/devserver"
	"github.com/temporalio/ui-server/v2/server/config"
	"github.com/temporalio/ui-server/v2/server/route"
	"github.com/temporalio/ui-server/v2/ui"
)

// secretHeader carries the secret. embedded/front.ts sets it.
const secretHeader = "X-Front-Secret"

// pages are Temporal's web pages and the API behind them, for the one caller that knows the secret: the proxy in front, which refuses
// strangers. Temporal's own UI server answers anybody on this machine, and so every web page that is open in its browsers.
type pages struct {
	port   int
	secret string
	writes bool
}

// serve listens until the process ends.
func (p *pages) serve(options devserver.StartOptions) error {
	if p.secret == "" {
		return fmt.Errorf("the secret is empty")
	}
	handler, err := p.handler(fmt.Sprintf("%s:%d", options.FrontendIP, options.FrontendPort))
	if err != nil {
		return err
	}
	listener, err := net.Listen("tcp", fmt.Sprintf("%s:%d", options.FrontendIP, p.port))
	if err != nil {
		return err
	}
	go func() { options.Logger.Error("the UI has ended", "error", http.Serve(listener, p.guard(handler))) }()
	return nil
}

// guard refuses whoever does not know the secret, before anything of the request is looked at.
func (p *pages) guard(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		given := r.Header.Get(secretHeader)
		if subtle.ConstantTimeCompare([]byte(given), []byte(p.secret)) != 1 {
			http.Error(w, "Only the proxy in front may ask here", http.StatusForbidden)
			return
		}
		r.Header.Del(secretHeader)
		next.ServeHTTP(w, r)
	})
}

// handler has the routes of Temporal's UI server, without its CORS rules and without its CSRF cookie, which scripts can read. The proxy in
// front checks where a request comes from.
func (p *pages) handler(temporal string) (http.Handler, error) {
	settings, err := config.NewConfigProviderWithRefresh(&config.Config{
		TemporalGRPCAddress: temporal,
		EnableUI:            true,
		DisableNewsFetch:    true,
		DisableWriteActions: !p.writes,
	})
	if err != nil {
		return nil, err
	}
	all, err := ui.Assets()
	if err != nil {
		return nil, err
	}
	local, err := fs.Sub(all, "local")
	if err != nil {
		return nil, err
	}
	e := echo.New()
	if err := route.SetAPIRoutes(e, settings, nil); err != nil {
		return nil, err
	}
	if err := route.SetUIRoutes(e, "", local); err != nil {
		return nil, err
	}
	route.SetRenderRoute(e, "")
	return e, nil
}
