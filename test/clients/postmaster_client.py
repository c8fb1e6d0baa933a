"""Google's own client reads the stand-in of Postmaster Tools by its discovery document, once for each kind of credentials."""
import json
import sys

from google.oauth2.credentials import Credentials
from google.oauth2.service_account import Credentials as ServiceAccount
from googleapiclient.discovery import build
from googleapiclient.errors import HttpError

asked = json.load(sys.stdin)


def read(credentials):
    service = build("gmailpostmastertools", "v2", credentials=credentials, client_options={"api_endpoint": asked["url"]}, cache_discovery=False)
    domains, stats = service.domains(), service.domains().domainStats()
    found = {"domains": [], "stats": [], "compliance": None, "refusal": None}
    request = domains.list(pageSize=200)
    while request is not None:
        answer = request.execute()
        found["domains"] += answer.get("domains", [])
        request = domains.list_next(request, answer)
    body = asked["query"]
    while body is not None:
        answer = stats.query(parent=f"domains/{asked['domain']}", body=body).execute()
        found["stats"] += answer.get("domainStats", [])
        token = answer.get("nextPageToken")
        body = {**body, "pageToken": token} if token else None
    found["compliance"] = domains.getComplianceStatus(name=f"domains/{asked['domain']}/complianceStatus").execute()
    try:
        domains.getComplianceStatus(name="domains/somebodys.test/complianceStatus").execute()
    except HttpError as refusal:
        found["refusal"] = {"status": refusal.resp.status, "reason": refusal.error_details or refusal.reason}
    return found


account = ServiceAccount.from_service_account_info(asked["account"], scopes=asked["scopes"])
person = Credentials(token=None, scopes=asked["scopes"], **{name: value for name, value in asked["person"].items() if name != "type"})
print(json.dumps([read(account), read(person)]))
