"""The SDK of Python comes in with a key in a header."""
import asyncio
import sys

import httpx2
import mcp
from mcp.client.streamable_http import streamable_http_client


async def main():
    url, key = sys.argv[1:]
    async with httpx2.AsyncClient(headers={"authorization": f"Bearer {key}"}) as http:
        async with mcp.Client(streamable_http_client(f"{url}/mcp", http_client=http)) as client:
            tools = (await client.list_tools()).tools
            answer = await client.call_tool("leads_search", {})
            assert "items" in answer.content[0].text, answer
            print(f"{len(tools)} tools, one called")


asyncio.run(main())
