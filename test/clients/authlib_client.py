"""Authlib connects as an application that registers: code with PKCE and a nonce, refresh, revocation."""
import sys
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer

import httpx
from authlib.common.security import generate_token
from authlib.integrations.httpx_client import OAuth2Client

issuer = sys.argv[1]
called = []


class Callback(BaseHTTPRequestHandler):
    def do_GET(self):
        called.append(self.path)
        self.send_response(200)
        self.end_headers()

    def log_message(self, *args):
        pass


server = HTTPServer(("127.0.0.1", 0), Callback)
waiting = threading.Thread(target=server.handle_request)
waiting.start()
callback = f"http://127.0.0.1:{server.server_port}/callback"
metadata = httpx.get(f"{issuer}/.well-known/oauth-authorization-server").json()
registered = httpx.post(metadata["registration_endpoint"], json={"redirect_uris": [callback], "client_name": "Authlib"}).json()
client = OAuth2Client(
    client_id=registered["client_id"],
    redirect_uri=callback,
    scope="leads:read",
    code_challenge_method="S256",
    token_endpoint_auth_method="none",
)
verifier = generate_token(48)
address, state = client.create_authorization_url(metadata["authorization_endpoint"], code_verifier=verifier, nonce="n-1")
print(address, flush=True)
waiting.join(60)
token = client.fetch_token(metadata["token_endpoint"], authorization_response=issuer + called[0], code_verifier=verifier, state=state)
assert token["scope"] == "leads:read", token["scope"]
token = client.refresh_token(metadata["token_endpoint"], refresh_token=token["refresh_token"])
ask = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
headers = {"accept": "application/json, text/event-stream", "authorization": f"Bearer {token['access_token']}"}
assert httpx.post(f"{issuer}/mcp", json=ask, headers=headers).status_code == 200
assert client.revoke_token(metadata["revocation_endpoint"], token=token["refresh_token"]).status_code == 200
assert httpx.post(f"{issuer}/mcp", json=ask, headers=headers).status_code == 401
print("code with nonce, refresh, a call, and none after the revocation")
