"""fastmcp knows the address of the tool server, and a key or nothing else."""
import asyncio
import sys
import webbrowser

import fastmcp

webbrowser.open = lambda address, *args, **kwargs: print(address, flush=True) or True


async def main():
    url, key = [*sys.argv[1:], None][:2]
    async with fastmcp.Client(f"{url}/mcp", auth=key or "oauth") as client:
        tools = await client.list_tools()
        answer = await client.call_tool("leads_search", {})
        assert "items" in answer.content[0].text, answer
        prompts = await client.list_prompts()
        resources = await client.list_resources()
        filled = await client.get_prompt("explain_missing_email", {"email": "ada@acme.example"})
        assert "leads_search" in filled.messages[0].content.text, filled
        guide = await client.read_resource("outreach://guides/errors")
        assert "code" in guide[0].text, guide
        print(f"{len(tools)} tools, one called; {len(prompts)} prompts and {len(resources)} resources, one each read")


asyncio.run(main())
